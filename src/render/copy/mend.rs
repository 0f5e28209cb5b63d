//! The commands and blocks that mend the state around one resource, in the form that the tool's version in the file knows.

use super::{NoCopy, Subject, shell};
use crate::change::kinds::pattern;
use crate::json;
use crate::stack::{Flags, Tool};
use crate::value::Value;

impl Subject<'_> {
    /// The command that takes the resource out of the state. The object stays.
    pub(super) fn state_removal(&self) -> Result<String, NoCopy> {
        let of_terraform = format!("{} state rm ", self.program());
        self.named("pulumi state delete ", &of_terraform)
    }

    /// The block that does the same with the next apply. It names whole resources, and is known since 1.7.
    pub(super) fn removed_block(&self) -> Result<String, NoCopy> {
        let header = &self.stack.header;
        let address = self.base_address();
        let is_whole = !address.contains('[') && !self.is_old_object();
        if header.kind.is_pulumi() || !is_whole || !self.is_since([1, 7]) {
            return Err(NoCopy::NoRemoved);
        }
        let lifecycle = match header.tool {
            // It forgets unless it is told to destroy.
            Tool::OpenTofu => "",
            Tool::Terraform | Tool::Pulumi => "  lifecycle {\n    destroy = false\n  }\n",
        };
        Ok(format!("removed {{\n  from = {address}\n{lifecycle}}}"))
    }

    /// The text that replaces the resource: an argument of the next apply, or a command for versions that do not have it.
    pub(super) fn replacement(&self) -> Result<String, NoCopy> {
        if !self.flags().contains(Flags::CUSTOM) {
            return Err(NoCopy::NotManaged);
        }
        let of_terraform = if self.is_since([1, 0]) {
            "-replace=".to_owned()
        } else {
            format!("{} taint ", self.program())
        };
        self.named("--replace ", &of_terraform)
    }

    /// The command that takes away its taint or its protection.
    pub(super) fn clearing(&self) -> Result<String, NoCopy> {
        if !self
            .flags()
            .intersects(Flags::TAINTED.and(Flags::PROTECTED))
        {
            return Err(NoCopy::NothingToClear);
        }
        let of_terraform = format!("{} untaint ", self.program());
        self.named("pulumi state unprotect ", &of_terraform)
    }

    /// The table for `stacklens.mutes.toml` that leaves the changes of the property out of the brief, for every resource of the type.
    pub(super) fn mute(&self) -> Result<String, NoCopy> {
        let place = self.place.ok_or(NoCopy::NoProperty)?;
        let quoted = |text: &str| json::to_compact(&Value::from(text));
        let property = pattern(&place.path).to_string();
        let [ty, property] = [self.stack.ty(self.id), &property].map(quoted);
        Ok(format!(
            "[[mute]]\ntype = {ty}\nproperty = {property}\nreason = \"\""
        ))
    }

    /// The command that reads the resource again from its provider.
    pub(super) fn refresh(&self) -> Result<String, NoCopy> {
        let verb = if self.is_since([1, 0]) {
            "apply -refresh-only"
        } else {
            "refresh"
        };
        let of_terraform = format!("{} {verb} -target=", self.program());
        self.named("pulumi refresh --target ", &of_terraform)
    }

    /// A text of one of the tools, followed by the name of the resource. An old object shares its name with the current one.
    fn named(&self, of_pulumi: &str, of_terraform: &str) -> Result<String, NoCopy> {
        if self.is_old_object() {
            return Err(NoCopy::OldObject);
        }
        Ok(if self.stack.header.kind.is_pulumi() {
            format!("{of_pulumi}{}", shell(&self.stack.urn(self.id)))
        } else {
            format!("{of_terraform}{}", shell(self.base_address()))
        })
    }

    fn is_old_object(&self) -> bool {
        let old = Flags::DEPOSED.and(Flags::PENDING_DELETE);
        self.flags().intersects(old)
    }

    fn flags(&self) -> Flags {
        self.stack.record(self.id).flags
    }

    fn program(&self) -> &'static str {
        self.stack.header.tool.program()
    }

    /// True if the tool that wrote the file has at least this version: major, minor.
    fn is_since(&self, wanted: [u64; 2]) -> bool {
        let version = &self.stack.header.tool_version;
        let mut numbers = version.split('.').map_while(|it| it.parse::<u64>().ok());
        let (major, minor) = (numbers.next(), numbers.next());
        major
            .zip(minor)
            .is_some_and(|(major, minor)| [major, minor] >= wanted)
    }
}
