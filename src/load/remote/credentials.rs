//! Stores with the credentials of the ecosystem's usual places. They are never kept beyond the connection, and never printed.
//!
//! | store | places |
//! |---|---|
//! | S3 | `AWS_ACCESS_KEY_ID` and the other `AWS_*` variables; a profile of `~/.aws/credentials` and `~/.aws/config`; web identity, container and instance roles |
//! | GCS | `GOOGLE_OAUTH_ACCESS_TOKEN`, `GOOGLE_BACKEND_CREDENTIALS`, `GOOGLE_CREDENTIALS`, `GOOGLE_APPLICATION_CREDENTIALS`; the login of `gcloud`; the metadata server |
//! | Azure | `ARM_ACCESS_KEY`, `ARM_SAS_TOKEN`, `ARM_CLIENT_ID` and so on; `AZURE_STORAGE_*`; a managed identity |
//! | HTTP | user and password of the URL; `TF_HTTP_USERNAME`, `TF_HTTP_PASSWORD` |
//!
//! # Source
//!
//! opentofu/opentofu `internal/backend/remote-state/{s3,gcs,azure,http}`; Go CDK `aws`, `gcp`, `azure`; the AWS SDK reference guide.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine as _;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, resolve_bucket_region};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::runtime::Runtime;

use super::{Address, Scheme, trouble};
use crate::text::Limit;

/// The limit of a file of the AWS tools.
const AWS_FILE: Limit = Limit {
    bytes: 1 << 20,
    advice: "a file with profiles is expected",
};

/// The store that an address without a key names.
pub(super) fn store(
    address: &Address,
    options: ClientOptions,
    retry: RetryConfig,
    runtime: &Runtime,
) -> io::Result<Arc<dyn ObjectStore>> {
    let store: object_store::Result<Arc<dyn ObjectStore>> = match address.scheme() {
        Scheme::S3 => s3(address, &options, runtime)?
            .with_retry(retry)
            .build()
            .map(|store| Arc::new(store) as _),
        Scheme::Gs => gs(address)
            .with_client_options(
                options.with_allow_http(variable("STORAGE_EMULATOR_HOST").is_some()),
            )
            .with_retry(retry)
            .build()
            .map(|store| Arc::new(store) as _),
        Scheme::Az => az(address, options)
            .with_retry(retry)
            .build()
            .map(|store| Arc::new(store) as _),
        Scheme::Http => http(address, options)?
            .with_retry(retry)
            .build()
            .map(|store| Arc::new(store) as _),
    };
    store.map_err(|error| trouble::in_words(&error))
}

/// A variable with a text that is not empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The bucket of S3 that an address names.
pub(super) fn s3(
    address: &Address,
    options: &ClientOptions,
    runtime: &Runtime,
) -> io::Result<AmazonS3Builder> {
    let mut builder = AmazonS3Builder::from_env()
        .with_client_options(options.clone())
        .with_bucket_name(address.container());
    let profile = address.option("profile").map(str::to_owned);
    let is_named = profile.is_some();
    let profile = profile.or_else(|| variable("AWS_PROFILE"));
    let has_keys = variable("AWS_ACCESS_KEY_ID").is_some();
    let has_role = variable("AWS_WEB_IDENTITY_TOKEN_FILE").is_some();
    if address.is_set("anonymous") {
        builder = builder.with_skip_signature(true);
    } else if is_named || !has_keys && !has_role {
        builder = with_profile(builder, profile.as_deref())?;
    }
    if let Some(region) = address.option("region") {
        builder = builder.with_region(region);
    }
    if let Some(endpoint) = address.option("endpoint") {
        let scheme = if address.is_set("disableSSL") || address.is_set("disable_https") {
            "http"
        } else {
            "https"
        };
        let has_scheme = endpoint.contains("://");
        let endpoint = if has_scheme {
            endpoint.to_owned()
        } else {
            format!("{scheme}://{endpoint}")
        };
        builder = builder.with_endpoint(endpoint);
    }
    let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint]
        .into_iter()
        .find_map(|key| builder.get_config_value(&key));
    match endpoint {
        // The person chose a server without encryption.
        Some(endpoint) if endpoint.starts_with("http://") => Ok(builder.with_allow_http(true)),
        Some(_) => Ok(builder),
        None if builder
            .get_config_value(&AmazonS3ConfigKey::Region)
            .is_some() =>
        {
            Ok(builder)
        }
        None => {
            let region = runtime.block_on(resolve_bucket_region(address.container(), options));
            Ok(builder.with_region(region.map_err(|error| trouble::in_words(&error))?))
        }
    }
}

/// Adds the keys and the region of a profile in the files of the AWS tools, if there are any.
fn with_profile(mut builder: AmazonS3Builder, name: Option<&str>) -> io::Result<AmazonS3Builder> {
    let credentials = aws_file("AWS_SHARED_CREDENTIALS_FILE", "credentials")?;
    let config = aws_file("AWS_CONFIG_FILE", "config")?;
    let of_profile = name.unwrap_or("default");
    let in_config = match of_profile {
        "default" => "default".to_owned(),
        name => format!("profile {name}"),
    };
    let sections = [
        credentials.section(Some(of_profile)),
        config.section(Some(in_config)),
    ];
    if name.is_some() && sections.iter().all(Option::is_none) {
        return Err(io::Error::other(format!(
            "no profile `{}` in the files of the AWS tools",
            crate::text::escaped(of_profile)
        )));
    }
    let value = |key: &str| {
        sections
            .iter()
            .flatten()
            .find_map(|section| section.get(key))
    };
    if let Some(id) = value("aws_access_key_id") {
        builder = builder.with_access_key_id(id);
        if let Some(secret) = value("aws_secret_access_key") {
            builder = builder.with_secret_access_key(secret);
        }
        if let Some(token) = value("aws_session_token") {
            builder = builder.with_token(token);
        }
    } else if let Some(way) = [
        "sso_session",
        "sso_start_url",
        "role_arn",
        "credential_process",
        "login_session",
    ]
    .into_iter()
    .find(|key| value(key).is_some())
    {
        return Err(io::Error::other(format!(
            "profile `{}` gets its keys by `{way}`, which only the AWS tools can follow: \
             `eval \"$(aws configure export-credentials --format env)\"` hands them over",
            crate::text::escaped(of_profile)
        )));
    }
    if builder
        .get_config_value(&AmazonS3ConfigKey::Region)
        .is_none()
        && let Some(region) = value("region")
    {
        builder = builder.with_region(region);
    }
    if builder
        .get_config_value(&AmazonS3ConfigKey::Endpoint)
        .is_none()
        && let Some(endpoint) = value("endpoint_url")
    {
        builder = builder.with_endpoint(endpoint);
    }
    Ok(builder)
}

/// A file of the AWS tools: the one that a variable names, or the usual one. One that is not there is empty.
fn aws_file(variable: &str, usual: &str) -> io::Result<ini::Ini> {
    let home =
        || -> Option<OsString> { env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")) };
    let named = env::var_os(variable).map(PathBuf::from);
    let path = named.or_else(|| Some(PathBuf::from(home()?).join(".aws").join(usual)));
    let read = |path: PathBuf| AWS_FILE.read_text(File::open(path)?);
    let text = match path.map(read) {
        None => return Ok(ini::Ini::new()),
        Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(ini::Ini::new()),
        Some(text) => text?,
    };
    let message = |error: ini::ParseError| {
        io::Error::other(format!(
            "the AWS file `{usual}` is broken in line {}",
            error.line
        ))
    };
    ini::Ini::load_from_str_noescape(&text).map_err(message)
}

fn gs(address: &Address) -> GoogleCloudStorageBuilder {
    let mut builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(address.container());
    if let Some(host) = variable("STORAGE_EMULATOR_HOST") {
        let has_scheme = host.contains("://");
        let host = if has_scheme {
            host
        } else {
            format!("http://{host}")
        };
        return builder.with_base_url(&host).with_skip_signature(true);
    }
    if address.is_set("anonymous") {
        return builder.with_skip_signature(true);
    }
    if let Some(token) = variable("GOOGLE_OAUTH_ACCESS_TOKEN") {
        return builder.with_bearer_token(token);
    }
    // Both hold a file's path, or its contents.
    let given = ["GOOGLE_BACKEND_CREDENTIALS", "GOOGLE_CREDENTIALS"];
    if let Some(given) = given.into_iter().find_map(variable) {
        builder = if given.trim_start().starts_with('{') {
            builder.with_service_account_key(given)
        } else {
            builder.with_application_credentials(given)
        };
    }
    builder
}

/// The variables of the Terraform backend and of the Azure tools that the library does not know, with the names that it has for them.
const OF_AZURE: [(&str, AzureConfigKey); 9] = [
    ("AZURE_STORAGE_ACCOUNT", AzureConfigKey::AccountName),
    ("ARM_ACCESS_KEY", AzureConfigKey::AccessKey),
    ("AZURE_STORAGE_KEY", AzureConfigKey::AccessKey),
    ("ARM_SAS_TOKEN", AzureConfigKey::SasKey),
    ("AZURE_STORAGE_SAS_TOKEN", AzureConfigKey::SasKey),
    ("ARM_CLIENT_ID", AzureConfigKey::ClientId),
    ("ARM_CLIENT_SECRET", AzureConfigKey::ClientSecret),
    ("ARM_TENANT_ID", AzureConfigKey::AuthorityId),
    (
        "ARM_OIDC_TOKEN_FILE_PATH",
        AzureConfigKey::FederatedTokenFile,
    ),
];

fn az(address: &Address, options: ClientOptions) -> MicrosoftAzureBuilder {
    let mut builder = MicrosoftAzureBuilder::from_env().with_container_name(address.container());
    for (name, key) in OF_AZURE {
        if let Some(value) = variable(name) {
            builder = builder.with_config(key, value);
        }
    }
    let connection = variable("AZURE_STORAGE_CONNECTION_STRING").unwrap_or_default();
    for part in connection.split(';') {
        let Some((name, value)) = part.split_once('=') else {
            continue;
        };
        let key = match name {
            "AccountName" => AzureConfigKey::AccountName,
            "AccountKey" => AzureConfigKey::AccessKey,
            "SharedAccessSignature" => AzureConfigKey::SasKey,
            "BlobEndpoint" => AzureConfigKey::Endpoint,
            _ => continue,
        };
        builder = builder.with_config(key, value);
    }
    if let Some(account) = address.account() {
        builder = builder.with_account(account);
    }
    if address.is_set("anonymous") {
        builder = builder.with_skip_signature(true);
    }
    let endpoint = builder.get_config_value(&AzureConfigKey::Endpoint);
    let is_plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
    // The person chose a server without encryption.
    builder.with_client_options(options.with_allow_http(is_plain))
}

fn http(address: &Address, options: ClientOptions) -> io::Result<HttpBuilder> {
    let not_valid = |_| io::Error::other("this is no valid URL");
    let mut url = url::Url::parse(address.whole()).map_err(not_valid)?;
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8_lossy()
            .into_owned()
    };
    let user = Some(decoded(url.username())).filter(|user| !user.is_empty());
    let user = user.or_else(|| variable("TF_HTTP_USERNAME"));
    let password = url
        .password()
        .map(decoded)
        .or_else(|| variable("TF_HTTP_PASSWORD"));
    // The header says it; messages of the library then cannot.
    _ = url.set_username("");
    _ = url.set_password(None);
    url.set_fragment(None);
    let mut headers = HeaderMap::new();
    if let Some(user) = user {
        let pair = format!("{user}:{}", password.unwrap_or_default());
        let pair = base64::engine::general_purpose::STANDARD.encode(pair);
        let value = HeaderValue::from_str(&format!("Basic {pair}"));
        let mut value = value.map_err(|_| io::Error::other("the user's name is not valid"))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    // The person wrote `http://`.
    let options = options.with_allow_http(true).with_default_headers(headers);
    Ok(HttpBuilder::new()
        .with_url(url)
        .with_client_options(options))
}
