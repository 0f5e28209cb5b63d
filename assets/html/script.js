
"use strict";
// Shows the data of the page. Every text becomes a text node, never markup.
(() => {
  const HEIGHT = 24;
  const MOST = 50;
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const isOne = !data.parts;
  const [list, space, rowsBox, detailBox, search] = ["list", "space", "rows", "detail", "search"].map(byId);
  const actions = new Map();
  // As the program writes numbers.
  const count = (n) => n.toLocaleString("en-US");
  const signOf = (action) => (actions.get(action) || { sign: " " }).sign;

  // The differences of all files, and the files with their sections.
  const differences = [], changes = [], closed = new Set();
  const late = ["unknown", "unjudged", "unknown-type", "all"];
  const files = (isOne ? [{ page: data }] : data.parts).map((file) => {
    const page = file.page || { actions: [], sections: [], remarks: [], differences: [] };
    page.actions.forEach(([name, sign, word]) => actions.set(name, { sign, word }));
    const first = differences.length;
    for (const it of page.differences) differences.push(it);
    for (const section of page.sections) {
      for (const entry of section.entries) entry.ids = entry.ids.map((id) => id + first);
    }
    // A section with every change, so that each difference can be reached.
    const all = page.differences.map((it, at) => it.action === "noop" ? null
      : { action: it.action, names: it.name, type: it.type, says: "", ids: [first + at], details: [], more: 0 });
    const own = all.filter(Boolean);
    for (const it of own) changes.push(it);
    const sections = page.sections.concat(own.length
      ? [{ name: "all", title: "all changes", count: own.length, left: 0, entries: own }] : []);
    for (const it of sections) if (late.includes(it.name)) closed.add(it);
    const end = differences.length, name = isOne ? "" : file.file.toLowerCase();
    return { file, name, sections, remarks: page.remarks, first, end };
  });
  for (const it of files) if (!isOne && !it.file.found) closed.add(it);
  const open = new Set();
  const chosen = new Set();
  let rows = [], cursor = 0, query = [], hits = null;

  function element(tag, name, text) {
    const it = document.createElement(tag);
    if (name) it.className = name;
    if (text !== undefined) it.textContent = text;
    return it;
  }

  // The text of a difference in lower case, made when it is searched for the first time.
  const texts = [];
  function textOf(at) {
    if (texts[at] === undefined) {
      const it = differences[at];
      const parts = [it.name, it.type, ...it.why];
      for (const [, lines] of it.parts) {
        for (const [, , label, spans, remark] of lines) {
          parts.push(label + " " + spans.map((span) => span[1]).join("") + " " + remark);
        }
      }
      texts[at] = parts.join("\n").toLowerCase();
    }
    return texts[at];
  }

  // The words that the name of the file does not have.
  const rest = (file) => query.filter((word) => !file.name.includes(word));

  function fits(entry, words) {
    if (chosen.size && !(chosen.has(entry.action) || entry.ids.some((id) => chosen.has(differences[id].action)))) return false;
    if (!words.length) return true;
    const own = [entry.names, entry.type || "", entry.says, ...(entry.rule || []), ...entry.details.map((it) => it[1])];
    const text = own.join("\n").toLowerCase();
    return words.every((word) => text.includes(word)) || entry.ids.some((id) => hits[id]);
  }

  const isShown = (id) => (!chosen.size || chosen.has(differences[id].action)) && (!hits || hits[id]);

  function arrange() {
    query = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    hits = query.length ? [] : null;
    for (const file of hits ? files : []) {
      const words = rest(file);
      for (let at = file.first; at < file.end; at += 1) hits[at] = words.every((word) => textOf(at).includes(word));
    }
    const isFiltered = query.length > 0 || chosen.size > 0;
    const kept = rows[cursor];
    rows = [];
    let found = 0;
    for (const file of files) {
      const fitting = [], words = rest(file);
      for (const section of file.sections) {
        const entries = section.entries.filter((entry) => fits(entry, words));
        if (isFiltered && !entries.length) continue;
        if (section.name === "all") found += entries.length;
        fitting.push([section, entries]);
      }
      const isNamed = query.length > 0 && !words.length;
      if (isFiltered && !fitting.length && !isNamed) continue;
      if (!isOne) rows.push({ kind: "file", file });
      if (closed.has(file) && !isFiltered) continue;
      fitting.forEach(([section, entries]) => arrangeSection(section, entries, isFiltered));
    }
    const same = kept && rows.findIndex((row) => row.kind === kept.kind && row.file === kept.file && row.section === kept.section
      && row.entry === kept.entry && row.id === kept.id && row.detail === kept.detail);
    cursor = same >= 0 ? same : Math.max(0, rows.findIndex((row) => row.kind === "entry"));
    byId("found").textContent = isFiltered ? count(found) + " of " + count(changes.length) + " changes" : "";
    space.style.height = rows.length * HEIGHT + "px";
    reveal();
    draw();
    show();
  }

  // Number of changes in these entries that fit, counted as in the number of a section.
  const fittingIn = (entries) => entries.reduce((n, it) => n + (it.ids.filter(isShown).length || it.ids.length || 1), 0);

  function arrangeSection(section, entries, isFiltered) {
    rows.push({ kind: "title", section, counted: isFiltered ? count(fittingIn(entries)) + " of " + count(section.count) : count(section.count) });
    if (closed.has(section)) return;
    for (const entry of entries) {
      rows.push({ kind: "entry", section, entry });
      entry.details.forEach((detail) => rows.push({ kind: "detail", entry, detail }));
      if (entry.more) rows.push({ kind: "rest", entry, text: entry.more + " more changes" });
      if (open.has(entry)) {
        entry.ids.filter(isShown).forEach((id) => rows.push({ kind: "member", entry, id }));
      }
    }
    if (section.left && !isFiltered) rows.push({ kind: "rest", text: count(section.left) + " more, see all changes" });
  }

  function draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 5);
    const last = Math.min(rows.length, first + Math.ceil(list.clientHeight / HEIGHT) + 12);
    const shown = [];
    for (let at = first; at < last; at += 1) shown.push(rowElement(at));
    rowsBox.style.transform = "translateY(" + first * HEIGHT + "px)";
    rowsBox.replaceChildren(...shown);
    list.setAttribute("aria-activedescendant", "row" + cursor);
  }

  function rowElement(at) {
    const row = rows[at];
    const it = element("div", "row " + row.kind + (at === cursor ? " on" : ""));
    it.id = "row" + at;
    it.setAttribute("role", "option");
    it.setAttribute("aria-selected", String(at === cursor));
    if (row.kind === "file") {
      const { file, counts, found } = row.file.file;
      const fold = row.file.sections.length ? (closed.has(row.file) ? "▸" : "▾") : "";
      it.append(element("span", "fold", fold), element("b", "", file), element("span", "found", found), element("span", "says", counts));
    } else if (row.kind === "title") {
      it.classList.add(row.section.name);
      it.append(element("span", "fold", closed.has(row.section) ? "▸" : "▾"), row.section.title + "  " + row.counted);
    } else if (row.kind === "entry") {
      const { entry } = row;
      const fold = entry.ids.length > 1 ? (open.has(entry) ? "▾" : "▸") : "";
      const name = element("b", "", entry.names);
      it.append(element("span", "fold", fold), element("span", "sign " + entry.action, signOf(entry.action)), name);
      const more = [entry.names.includes(entry.type || "") ? "" : entry.type, entry.says].filter(Boolean).join("  ");
      it.append(element("span", "says", more));
    } else if (row.kind === "member") {
      const change = differences[row.id];
      it.append(element("span", "sign " + change.action, signOf(change.action)), change.name);
    } else {
      it.textContent = row.kind === "detail" ? row.detail[0] + " " + row.detail[1] : row.text;
    }
    it.addEventListener("click", () => { go(at); if (row.kind === "title" || row.kind === "file") toggle(); });
    it.addEventListener("dblclick", toggle);
    return it;
  }

  function reveal() {
    const top = cursor * HEIGHT;
    if (top < list.scrollTop + HEIGHT) list.scrollTop = Math.max(0, top - HEIGHT);
    else if (top + 2 * HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + 2 * HEIGHT - list.clientHeight;
  }

  function go(at) {
    if (!rows.length) return;
    cursor = Math.min(rows.length - 1, Math.max(0, at));
    reveal();
    draw();
    show();
  }

  function toggle() {
    const row = rows[cursor];
    if (!row) return;
    const [set, key] = row.kind === "title" ? [closed, row.section]
      : row.kind === "file" ? [closed, row.file]
      : row.kind === "entry" && row.entry.ids.length > 1 ? [open, row.entry] : [];
    if (!set) { detailBox.focus(); return; }
    if (!set.delete(key)) set.add(key);
    arrange();
  }

  function show() {
    const row = rows[cursor];
    const parts = [];
    if (row && row.kind === "member") parts.push(...difference(row.id, "h2"));
    else if (row && row.entry) parts.push(...entryParts(row.entry));
    else if (row && row.kind === "file") {
      const { file, counts, found } = row.file.file;
      parts.push(element("h2", "", file), ...[counts, found, ...row.file.remarks].filter(Boolean).map((it) => element("p", "", it)));
    } else if (row && row.kind === "title") {
      parts.push(element("h2", "", row.section.title), element("p", "dim", row.counted + " in this section"));
    } else if (!rows.length) parts.push(element("p", "dim", "Nothing is found."));
    detailBox.replaceChildren(...parts);
    detailBox.scrollTop = 0;
  }

  function entryParts(entry) {
    const head = element("h2");
    head.append(element("span", "sign " + entry.action, signOf(entry.action)), entry.names);
    const parts = [head];
    const line = [entry.type, entry.says].filter(Boolean).join("  ");
    if (line) parts.push(element("p", "", line));
    if (entry.rule) parts.push(element("p", "dim", "rule " + entry.rule.join(" · ")));
    if (entry.details.length) {
      const box = element("div", "lines");
      entry.details.forEach(([sign, text]) => {
        const it = element("div", sideOf(sign));
        it.append(element("i", "", sign + " "), text);
        box.append(it);
      });
      if (entry.more) box.append(element("div", "d", entry.more + " more changes"));
      parts.push(box);
    }
    (entry.copies || []).forEach((text) => parts.push(element("pre", "", text)));
    const shown = entry.ids.filter(isShown);
    const ids = shown.length ? shown : entry.ids;
    ids.slice(0, MOST).forEach((id) => parts.push(...difference(id, "h3")));
    if (ids.length > MOST) {
      parts.push(element("p", "dim", (ids.length - MOST) + " more: open the group and choose one"));
    }
    return parts;
  }

  const sideOf = (sign) => ({ "+": "plus", "-": "minus", "~": "tilde" })[sign] || "";

  function difference(id, tag) {
    const change = differences[id];
    const head = element(tag);
    head.append(element("span", "sign " + change.action, signOf(change.action)), change.name);
    const parts = [head, element("p", "dim", [change.type, (actions.get(change.action) || {}).word].filter(Boolean).join("  "))];
    change.why.forEach((text) => parts.push(element("p", "dim", text)));
    for (const [section, lines] of change.parts) {
      if (change.parts.length > 1) parts.push(element("h4", "", section));
      const box = element("div", "lines");
      for (const [depth, sign, label, spans, remark] of lines) {
        const it = element("div", sideOf(sign));
        it.append(element("i", "", (sign || " ") + " "), "  ".repeat(depth));
        if (label) it.append(element("span", "label", label), " ");
        spans.forEach(([role, text]) => it.append(element("span", role, text)));
        if (remark) it.append("  ", element("span", "remark", remark));
        box.append(it);
      }
      parts.push(box);
    }
    return parts;
  }

  function header() {
    byId("counts").textContent = data.counts;
    byId("remarks").textContent = (data.remarks || []).map((text) => "· " + text).join(" ");
    const counts = new Map();
    changes.forEach((it) => counts.set(it.action, (counts.get(it.action) || 0) + 1));
    for (const [name, { sign, word }] of actions) {
      const n = counts.get(name);
      if (!n) continue;
      const part = element("i", name);
      part.style.flexGrow = n;
      byId("bar").append(part);
      const button = element("button", name, sign + " " + word + " " + count(n));
      button.type = "button";
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        const isOn = !chosen.delete(name);
        if (isOn) chosen.add(name);
        button.setAttribute("aria-pressed", String(isOn));
        arrange();
      });
      byId("filters").append(button);
    }
  }

  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(arrange, 80);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { clearTimeout(timer); arrange(); list.focus(); event.preventDefault(); }
    if (event.key === "Escape") { search.value = ""; clearTimeout(timer); arrange(); list.focus(); event.preventDefault(); }
    event.stopPropagation();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === search) return;
    const page = Math.max(1, Math.floor(list.clientHeight / HEIGHT) - 1);
    const isInDetail = document.activeElement === detailBox;
    const isButton = event.target instanceof HTMLButtonElement;
    const steps = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key === "/") { search.focus(); search.select(); }
    else if (event.key === "Escape") {
      if (isInDetail) list.focus();
      else if (search.value || chosen.size) {
        search.value = "";
        chosen.clear();
        byId("filters").querySelectorAll("button").forEach((it) => it.setAttribute("aria-pressed", "false"));
        arrange();
      }
    } else if (isInDetail && event.key in steps && !["j", "k"].includes(event.key)) return;
    else if (event.key in steps) go(cursor + steps[event.key]);
    else if (event.key === "g" || event.key === "Home") go(0);
    else if (event.key === "G" || event.key === "End") go(rows.length - 1);
    else if (event.key === "Enter" && !isButton && !isInDetail) toggle();
    else return;
    event.preventDefault();
  });
  list.addEventListener("scroll", draw);
  window.addEventListener("resize", draw);
  header();
  arrange();
  list.focus();
})();
