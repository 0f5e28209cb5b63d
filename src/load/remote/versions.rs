//! The versions of an object that S3 keeps. The library for buckets reads a version but lists none, so they are asked for here, with its
//! connection and its signature.
//!
//! # Source
//!
//! Amazon S3 API reference, `ListObjectVersions`.

use std::io;

use object_store::ClientOptions;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, AwsAuthorizer};
use object_store::client::{HttpConnector as _, HttpRequest, HttpRequestBody, ReqwestConnector};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::{Address, Object, trouble};
use crate::text::seconds;

/// The characters of a name that are spelled out in a query.
const SPELLED_OUT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The answer of the server: the newest first.
#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "Version", default)]
    versions: Vec<Version>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Version {
    key: String,
    #[serde(rename = "VersionId")]
    id: String,
    is_latest: bool,
    last_modified: String,
    #[serde(default)]
    size: u64,
}

/// The older versions of an object.
pub(super) async fn of_s3(
    address: &Address,
    bucket: AmazonS3Builder,
    options: &ClientOptions,
) -> io::Result<Vec<Object>> {
    let in_words = |error| trouble::in_words(&error);
    let value = |key| bucket.get_config_value(&key);
    let region = value(AmazonS3ConfigKey::Region).unwrap_or_else(|| "us-east-1".to_owned());
    let endpoint =
        value(AmazonS3ConfigKey::S3Endpoint).or_else(|| value(AmazonS3ConfigKey::Endpoint));
    let is_plain = endpoint
        .as_ref()
        .is_some_and(|it| it.starts_with("http://"));
    let endpoint = endpoint.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
    let is_whole =
        value(AmazonS3ConfigKey::VirtualHostedStyleRequest).is_some_and(|it| it == "true");
    let bucket_path = if is_whole {
        String::new()
    } else {
        format!("/{}", address.container())
    };
    let prefix = utf8_percent_encode(address.key(), SPELLED_OUT);
    let url = format!(
        "{}{bucket_path}?prefix={prefix}&versions=",
        endpoint.trim_end_matches('/')
    );
    let mut request = HttpRequest::new(HttpRequestBody::empty());
    *request.uri_mut() = url
        .parse()
        .map_err(|_| io::Error::other("the endpoint is no URL"))?;
    if !address.is_set("anonymous") {
        let store = bucket.build().map_err(in_words)?;
        let credential = store.credentials().get_credential().await;
        let credential = credential.map_err(in_words)?;
        let signed =
            AwsAuthorizer::new(&credential, "s3", &region).try_authorize(&mut request, None);
        signed.map_err(in_words)?;
    }
    let options = options.clone().with_allow_http(is_plain);
    let client = ReqwestConnector::default().connect(&options);
    let client = client.map_err(in_words)?;
    // An error of the connection repeats the URL.
    let failed = |_| io::Error::other("the versions of the object cannot be listed");
    let response = client.execute(request).await.map_err(failed)?;
    let is_success = response.status().is_success();
    let body = response.into_body().bytes().await.map_err(failed)?;
    let answer = std::str::from_utf8(&body).ok().filter(|_| is_success);
    let answer = answer.and_then(|text| quick_xml::de::from_str::<Answer>(text).ok());
    let Some(answer) = answer else {
        return Err(io::Error::other(
            "the server does not list the versions of the object",
        ));
    };
    let own = answer.versions.into_iter();
    let own = own.filter(|it| it.key == address.key() && !it.is_latest);
    let object = |it: Version| Object {
        address: address.at(it.id),
        bytes: it.size,
        modified: seconds(&it.last_modified),
    };
    Ok(own.map(object).collect())
}
