//! Types of resources, in a form in which the names of both tools meet.
//!
//! A rule names types as Terraform does. Pulumi's bridged providers name the same types with a module: `aws_s3_bucket` is
//! `aws:s3/bucket:Bucket`, and `aws_security_group` is `aws:ec2/securityGroup:SecurityGroup`. So the key of a token of Pulumi is
//! looked up as it is, with its module as a part of the name, and, for some modules, without it. Names that follow from neither
//! (`aws_db_instance` is `aws:rds/instance:Instance`) are in a table, `assets/rules/bridged.toml`.
//!
//! Versions do not count: `kubernetes:apps/v1:Deployment` is `kubernetes:apps:Deployment`, `kubernetes_deployment_v1` is
//! `kubernetes_deployment`.

use std::collections::HashMap;

use super::policy::matches;
use crate::change::vocabulary::WORDS;
use crate::text::words;
use crate::value::Value;

/// The keys under which the rules of a type may be found, most specific first.
pub(super) fn keys(ty: &str, bridged: &HashMap<String, String>) -> Vec<String> {
    let Some((package, module, name)) = token(ty) else {
        return vec![squashed(ty)];
    };
    let own = pulumi_key(package, module, name);
    if let Some(terraform) = bridged.get(&own) {
        return vec![own, squashed(terraform)];
    }
    let provider = terraform_provider(package);
    let module = module_name(module);
    let mut keys = vec![own, squashed(&format!("{provider}{module}{name}"))];
    let plain = WORDS.plain_modules.get(package);
    if module == "index" || plain.is_some_and(|plain| plain.has(module)) {
        keys.push(squashed(&format!("{provider}{name}")));
    }
    keys
}

/// The Terraform provider of a package of Pulumi.
fn terraform_provider(package: &str) -> &str {
    WORDS.providers.get(package).map_or(package, |it| it)
}

/// The key of a type as a rule has it: a name of Terraform, or a token of Pulumi.
pub(super) fn key(ty: &str) -> String {
    match token(ty) {
        Some((package, module, name)) => pulumi_key(package, module, name),
        None => squashed(ty),
    }
}

/// The property of a type that holds an object of Kubernetes.
pub(super) fn holder(ty: &str) -> Option<&'static str> {
    WORDS.holders.get(ty).map(String::as_str)
}

/// The names of a type that patterns of types are compared with: `aws_s3_bucket`, also for `aws:s3/bucket:Bucket`.
pub(super) fn names(ty: &str, bridged: &HashMap<String, String>) -> Vec<String> {
    let Some((package, module, name)) = token(ty) else {
        return vec![without_version(ty).to_owned()];
    };
    if let Some(terraform) = bridged.get(&pulumi_key(package, module, name)) {
        return vec![terraform.clone()];
    }
    let package = terraform_provider(package);
    let module = module_name(module);
    let [of_module, name] = [module, without_version(name)].map(|name| words(name).join("_"));
    let whole = format!("{package}_{of_module}_{name}");
    let plain = format!("{package}_{name}");
    // `aws:ecr/repository:Repository` is `aws_ecr_repository`, `random:index/x:X` is `random_x`.
    match module {
        "index" | "" => vec![plain],
        _ => vec![whole],
    }
}

/// True if a pattern of types, such as `google_*_iam_member`, has one of the names.
pub(super) fn is_named(pattern: &str, names: &[String]) -> bool {
    names.iter().any(|name| matches(pattern, name))
}

/// The token of the type of an object of Kubernetes; `None` if it does not say its kind.
pub(super) fn token_of_object(object: &Value) -> Option<String> {
    let text = |key| object.get(key).and_then(Value::as_str);
    let (version, kind) = (text("apiVersion")?, text("kind")?);
    let group = version.split_once('/').map_or("core", |(group, _)| group);
    Some(format!("kubernetes:{group}:{kind}"))
}

/// The package, the module and the name of a token.
fn token(ty: &str) -> Option<(&str, &str, &str)> {
    let (package, rest) = ty.split_once(':')?;
    let (module, name) = rest.split_once(':').unwrap_or(("", rest));
    // A patch changes an object that somebody else made.
    let patched = name
        .strip_suffix("Patch")
        .filter(|_| package == "kubernetes");
    let name = patched.unwrap_or(name);
    Some((package, module, name))
}

fn pulumi_key(package: &str, module: &str, name: &str) -> String {
    format!(
        "{package}:{}:{}",
        module_name(module).to_lowercase(),
        without_version(name).to_lowercase()
    )
}

/// The module without its version or file: `apps` of `apps/v1`, `s3` of `s3/bucket`.
fn module_name(module: &str) -> &str {
    module.split_once('/').map_or(module, |(module, _)| module)
}

/// A name without the version at its end: `_v1`, `V2`, `_v2beta1`.
fn without_version(name: &str) -> &str {
    // This is asked of all names of all rules, and few can end in a version: 1, alpha, beta.
    if !name.ends_with(|last: char| last == 'a' || last.is_ascii_digit()) {
        return name;
    }
    let Some(at) = name.rfind(['v', 'V']) else {
        return name;
    };
    let version = name[at + 1..].replace("beta", "").replace("alpha", "");
    let is_version = !version.is_empty()
        && version.len() <= 2
        && version.bytes().all(|byte| byte.is_ascii_digit());
    // The `v2` in `aws_apigatewayv2` is a part of the name.
    let is_apart = name[..at].ends_with('_') || name.as_bytes()[at] == b'V';
    if is_version && is_apart {
        name[..at].trim_end_matches('_')
    } else {
        name
    }
}

/// The key of a name of Terraform: without its version, underscores and capitals.
fn squashed(name: &str) -> String {
    without_version(name).replace('_', "").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(of_rule: &str, ty: &str, want: bool) {
        let bridged = HashMap::from([(key("aws:rds:Instance"), "aws_db_instance".to_owned())]);
        assert_eq!(
            keys(ty, &bridged).contains(&key(of_rule)),
            want,
            "{of_rule} and {ty}"
        );
    }

    #[test]
    fn names_of_both_tools_meet() {
        check("aws_s3_bucket", "aws_s3_bucket", true);
        check("aws_s3_bucket", "aws:s3/bucket:Bucket", true);
        check("aws_s3_bucket", "aws:s3/bucketV2:BucketV2", true);
        check(
            "aws_security_group",
            "aws:ec2/securityGroup:SecurityGroup",
            true,
        );
        check(
            "google_sql_database_instance",
            "gcp:sql/databaseInstance:DatabaseInstance",
            true,
        );
        check(
            "azurerm_storage_account",
            "azure:storage/account:Account",
            true,
        );
        check("aws_db_instance", "aws:rds/instance:Instance", true);
        check("aws_apigatewayv2_api", "aws:apigatewayv2/api:Api", true);
        check(
            "random_password",
            "random:index/randomPassword:RandomPassword",
            false,
        );
    }

    #[test]
    fn a_table_keeps_types_of_one_name_apart() {
        check("aws_instance", "aws:rds/instance:Instance", false);
        check("aws_instance", "aws:ec2/instance:Instance", true);
        check("aws_route", "aws:apigatewayv2/route:Route", false);
        check("tls_private_key", "tls:index/privateKey:PrivateKey", true);
        check("aws_s3_bucket", "gcp:storage/bucket:Bucket", false);
    }

    #[test]
    fn patterns_of_types_fit_the_names_of_both_tools() {
        let table = HashMap::from([(key("aws:rds:Instance"), "aws_db_instance".to_owned())]);
        let fits = |pattern: &str, ty: &str| is_named(pattern, &names(ty, &table));
        for ty in [
            "google_pubsub_topic_iam_member",
            "gcp:pubsub/topicIAMMember:TopicIAMMember",
        ] {
            assert!(fits("google_*_iam_member", ty), "{ty}");
            assert!(!fits("google_*_iam_binding", ty), "{ty}");
        }
        assert!(fits("*_db_instance", "aws:rds/instance:Instance"));
        assert!(fits("*_bucket", "hcloud:index/bucket:Bucket"));
        assert!(!fits("*_bucket", "minio_bucket_policy"));
    }

    #[test]
    fn versions_do_not_count() {
        check("kubernetes_deployment", "kubernetes_deployment_v1", true);
        check(
            "kubernetes:apps:Deployment",
            "kubernetes:apps/v1:Deployment",
            true,
        );
        check(
            "kubernetes:apps:Deployment",
            "kubernetes:apps/v1beta1:Deployment",
            true,
        );
        check(
            "kubernetes:apps:Deployment",
            "kubernetes:apps/v1:DeploymentPatch",
            true,
        );
        check(
            "azure-native:storage:StorageAccount",
            "azure-native:storage/v20230101:StorageAccount",
            true,
        );
        check(
            "kubernetes:apps:Deployment",
            "kubernetes:core/v1:Service",
            false,
        );
    }
}
