//! Terraform addresses: modules, resources, instances, providers.
