//! The lines below the sections: what was looked for, and what nobody can judge from the file.

use super::{Maker, Page, Part, Title};
use crate::text::{count, plural};

impl Maker<'_> {
    /// The things that were looked for in vain, and those that nobody can judge from the file. Sections say the others.
    pub(super) fn remarks(&self, page: &Page) -> Vec<String> {
        let counts = &self.document.stack.counts;
        let mut remarks = Vec::new();
        let is_finding = |part: &Part| matches!(part.title, Title::Found(_));
        if page.n_changes() > 0 && !page.parts.iter().any(is_finding) {
            let findings = &self.brief.findings;
            let yours = match findings.n_added {
                0 => String::new(),
                n_added => format!(" ({} of them yours)", count(n_added as u64)),
            };
            let n = plural(findings.n_rules, "rule") + &yours;
            remarks.push(format!(
                "looked for: {n}, which found nothing; a change that no rule names can still hurt"
            ));
        }
        let n_secrets = usize::try_from(counts.secrets).unwrap_or(usize::MAX);
        let secrets = (n_secrets > 0).then(|| plural(n_secrets, "masked secret"));
        let unjudged: Vec<String> = counts.unjudged().into_iter().chain(secrets).collect();
        if !unjudged.is_empty() {
            remarks.push(format!("not judged: {}", unjudged.join(" · ")));
        }
        remarks
    }
}
