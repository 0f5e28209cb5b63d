//! The connection: one runtime without threads of its own, and one store for each bucket.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::path::Path as Key;
use object_store::{
    ClientOptions, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore, RetryConfig,
};
use tokio::runtime::{Builder, Runtime};

use super::super::run;
use super::{Address, Judge, Listed, Object, Scheme, Wanted, credentials, trouble, versions};
use crate::text::Limit;

/// The time after which a server that cannot be reached is given up.
const CONNECT: Duration = Duration::from_secs(5);

/// The time after which a server that sends nothing is asked again.
const SILENCE: Duration = Duration::from_secs(20);

/// The time after which a server that answers with errors is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// Number of tries beside the first one.
const N_RETRIES: usize = 3;

/// Size in bytes from which the first bytes of an object are asked for alone.
const LARGE: u64 = 1 << 20;

struct Client {
    runtime: Runtime,
    stores: Mutex<HashMap<Address, Arc<dyn ObjectStore>>>,
}

fn client() -> io::Result<&'static Client> {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    if let Some(client) = CLIENT.get() {
        return Ok(client);
    }
    // A provider that is there already is as good.
    _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    Ok(CLIENT.get_or_init(|| Client {
        runtime,
        stores: Mutex::default(),
    }))
}

impl Client {
    /// The store of an address. Credentials are looked up once for each bucket.
    fn store(&self, address: &Address) -> io::Result<Arc<dyn ObjectStore>> {
        let key = address.store();
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = stores.get(&key) {
            return Ok(store.clone());
        }
        let retry = RetryConfig {
            max_retries: N_RETRIES,
            retry_timeout: PATIENCE,
            ..RetryConfig::default()
        };
        let store = credentials::store(&key, client_options(), retry, &self.runtime)?;
        stores.insert(key, store.clone());
        Ok(store)
    }
}

fn client_options() -> ClientOptions {
    ClientOptions::new()
        .with_connect_timeout(CONNECT)
        .with_read_timeout(SILENCE)
        .with_timeout_disabled()
}

/// The name of an object as the store has it. Of HTTP the store is the whole URL.
fn key(address: &Address) -> io::Result<Key> {
    match address.scheme() {
        Scheme::Http => Ok(Key::default()),
        Scheme::S3 | Scheme::Gs | Scheme::Az => Key::parse(address.key())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string())),
    }
}

/// Asks for an object, in the version that its address names.
async fn get(address: &Address, options: GetOptions) -> io::Result<GetResult> {
    let (store, key) = (client()?.store(address)?, key(address)?);
    let got = store.get_opts(&key, options.with_version(address.version()));
    got.await.map_err(|error| trouble::in_words(&error))
}

/// The first bytes of an object.
async fn head(address: &Address, n_bytes: u64) -> io::Result<Vec<u8>> {
    let range = GetOptions::new().with_range(Some(GetRange::Bounded(0..n_bytes)));
    bytes(get(address, range).await?).await
}

async fn bytes(got: GetResult) -> io::Result<Vec<u8>> {
    let bytes = got.bytes().await;
    let bytes = bytes.map_err(|error| trouble::in_words(&error))?;
    Ok(bytes.to_vec())
}

/// True if an object has exactly this name.
pub(super) fn is_object(address: &Address) -> io::Result<bool> {
    let head = GetOptions::new().with_head(true);
    match client()?.runtime.block_on(get(address, head)) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The bytes of an object.
pub(super) fn read(address: &Address, limit: Limit) -> io::Result<Vec<u8>> {
    client()?.runtime.block_on(async {
        let mut chunks = get(address, GetOptions::new()).await?.into_stream();
        let mut bytes = Vec::new();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| trouble::in_words(&error))?;
            bytes.extend_from_slice(&chunk);
            limit.check(bytes.len() as u64)?;
        }
        Ok(bytes)
    })
}

/// The objects below an address, in the order of their names.
pub(super) fn list(address: &Address) -> io::Result<Listed> {
    let client = client()?;
    let (store, prefix) = (client.store(address)?, key(address)?);
    let mut listed = Vec::new();
    let outcome = client.runtime.block_on(async {
        let mut found = store.list(Some(&prefix));
        while let Some(meta) = found.try_next().await? {
            listed.push(meta);
        }
        Ok(())
    });
    let trouble = outcome.err().map(|error| trouble::in_words(&error));
    let objects = in_order(address, listed);
    Ok(Listed { objects, trouble })
}

/// The objects of a list, in the order of their names.
fn in_order(address: &Address, listed: Vec<ObjectMeta>) -> Vec<Object> {
    let object = |meta: ObjectMeta| Object {
        address: address.object(meta.location.as_ref()),
        bytes: meta.size,
        modified: u64::try_from(meta.last_modified.timestamp()).ok(),
    };
    let mut objects: Vec<Object> = listed.into_iter().map(object).collect();
    objects.sort_unstable_by(|one, other| one.address.path().cmp(other.address.path()));
    objects
}

/// The objects in the same folder as this one.
pub(super) fn siblings(address: &Address) -> io::Result<Vec<Object>> {
    let client = client()?;
    let (store, key) = (client.store(address)?, key(address)?);
    let parts: Vec<_> = key.parts().collect();
    let folder: Key = parts
        .split_last()
        .map(|(_, above)| above.iter().cloned().collect())
        .unwrap_or_default();
    let listed = client
        .runtime
        .block_on(store.list_with_delimiter(Some(&folder)));
    let listed = listed.map_err(|error| trouble::in_words(&error))?;
    Ok(in_order(address, listed.objects))
}

/// The older versions of an object; see [`Address::versions`].
pub(super) fn versions(address: &Address) -> io::Result<Vec<Object>> {
    match address.scheme() {
        Scheme::S3 => {
            let runtime = &client()?.runtime;
            let bucket = credentials::s3(&address.store(), &client_options(), runtime)?;
            runtime.block_on(versions::of_s3(address, bucket, &client_options()))
        }
        Scheme::Gs | Scheme::Az | Scheme::Http => Ok(Vec::new()),
    }
}

/// The first bytes of several objects; see [`super::heads`].
pub(super) fn heads(objects: &[&Object], n_bytes: u64) -> Vec<io::Result<Vec<u8>>> {
    match client() {
        Ok(client) => {
            let heads = objects.iter().map(|object| head(&object.address, n_bytes));
            client.runtime.block_on(join_all(heads))
        }
        Err(error) => vec![Err(error)],
    }
}

/// The bytes of several objects of one store; see [`super::read_all`].
pub(super) fn read_all(wanted: &[Wanted<'_>]) -> Vec<io::Result<Option<Vec<u8>>>> {
    match client() {
        Ok(client) => {
            let each = wanted
                .iter()
                .map(|(object, judge)| read_judged(object, *judge));
            client.runtime.block_on(join_all(each))
        }
        Err(error) => {
            let message = error.to_string();
            let failed = |_| Err(io::Error::other(message.clone()));
            wanted.iter().map(failed).collect()
        }
    }
}

async fn read_judged(object: &Object, judge: Option<&Judge<'_>>) -> io::Result<Option<Vec<u8>>> {
    let address = &object.address;
    if let Some(judge) = judge
        && object.bytes > LARGE
        && !judge(&head(address, run::HEAD as u64).await?)
    {
        return Ok(None);
    }
    let read = bytes(get(address, GetOptions::new()).await?).await?;
    let head = &read[..read.len().min(run::HEAD)];
    let is_taken = judge.is_none_or(|judge| judge(head));
    Ok(is_taken.then_some(read))
}
