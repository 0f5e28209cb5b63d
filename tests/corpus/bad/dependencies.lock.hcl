# This file is maintained automatically by "terraform init".

provider "registry.terraform.io/acme/lab" {
  version     = "1.2.3"
  constraints = "~> 1.2"
  hashes = [
    "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ]
}
