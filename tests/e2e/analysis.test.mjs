// Many raters' files, analysed in the page: the same figures as other packages and as `lab survey analyse`, what is wrong
// with files named, tables copied, simulated raters marked, and a page that answers while it computes.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE, assert, journey, keptForOffline, open } from "./harness.mjs";
import { demonstration, downloaded, heading, practise, prepare, rate } from "./rater.mjs";
import { startFromDemonstration } from "./play.mjs";

const DATA = (name) => readFileSync(new URL(`../data/survey/${name}`, import.meta.url));
const LAB = process.env.KIBITZ_LAB ?? new URL("../../target/debug/lab", import.meta.url).pathname;

/** Drops files, `[name, bytes]`, on the page. */
async function drop(page, ...files) {
  const transfer = await page.evaluateHandle(
    (files) => {
      const transfer = new DataTransfer();
      for (const [name, encoded] of files)
        transfer.items.add(new File([Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))], name));
      return transfer;
    },
    files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
  );
  const names = files.map(([name]) => name);
  await page.locator(".analysis-page > .card").first().dispatchEvent("drop", { dataTransfer: transfer });
  await listed(page, names);
}

/** Waits until files of these names are listed, taken or refused, and the page has done its work. */
async function listed(page, names) {
  await page.waitForFunction((names) => {
    const listed = [...document.querySelectorAll(".file-list code")].map((name) => name.textContent);
    return names.every((name) => listed.includes(name)) && document.querySelector(".analysis-page")?.ariaBusy === "false";
  }, names);
}

/** Waits until the work is done. */
async function idle(page) {
  await page.waitForFunction(() => document.querySelector(".analysis-page")?.ariaBusy === "false");
}

/** A table as rows of texts, its heading first. */
async function table(page, selector) {
  await page.locator(`${selector} .figures`).first().waitFor();
  return page.locator(`${selector} .figures`).first().evaluate((table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
  );
}

const number = (text) => Number(text.replace("−", "-").replace(/[*\s]/g, ""));

/** The figure shown is this one, to the last digit shown. */
function same(shown, wanted, what) {
  if (wanted === null || wanted === undefined) return assert.equal(shown, "–", what);
  const digits = (shown.split(".")[1] ?? "").replace(/\D/g, "").length;
  const off = Math.abs(number(shown) - wanted);
  assert.ok(off <= 0.5 * 10 ** -digits + 1e-12, `${what}: ${shown} is shown for ${wanted}`);
}

/** Table 1 holds these means and intervals, and stars where p is below 0.001. */
function sameMeans(shown, means, comparisons = []) {
  const [head, ...rows] = shown;
  let compared = 0;
  for (const row of rows) {
    for (const [column, criterion] of head.entries()) {
      const wanted = means.find((mean) => mean.method === row[0] && mean.criterion === criterion);
      if (!wanted) continue;
      const [, mean, low, high, star] = row[column].match(/^(\S+) \[(\S+), (\S+)\](\*?)$/);
      same(mean, wanted.mean, `${row[0]}, ${criterion}`);
      same(low, wanted.low, `${row[0]}, ${criterion}, low`);
      same(high, wanted.high, `${row[0]}, ${criterion}, high`);
      const p = comparisons.find((other) => other.method === row[0] && other.criterion === criterion)?.p_holm;
      assert.equal(star, p !== undefined && p < 0.001 ? "*" : "", `star of ${row[0]}, ${criterion}`);
      compared += 1;
    }
  }
  assert.equal(compared, means.length);
}

function sameAgreement(shown, agreement) {
  const [, ...rows] = shown;
  assert.equal(rows.length, agreement.length);
  for (const wanted of agreement) {
    const row = rows.find(([criterion]) => criterion === wanted.criterion);
    const figure = (cell) => cell.split(" [")[0];
    same(figure(row[1]), wanted.fleiss_kappa, `kappa of ${wanted.criterion}`);
    same(figure(row[3]), wanted.krippendorff_alpha, `alpha of ${wanted.criterion}`);
    if (wanted.fleiss_kappa_low !== undefined && wanted.fleiss_kappa_low !== null) {
      const [, low, high] = row[1].match(/\[(\S+), (\S+)\]$/);
      same(low, wanted.fleiss_kappa_low, `kappa of ${wanted.criterion}, low`);
      same(high, wanted.fleiss_kappa_high, `kappa of ${wanted.criterion}, high`);
    }
    same(row[4], wanted.icc21, `ICC(2,1) of ${wanted.criterion}`);
    same(row[5], wanted.icc2k, `ICC(2,k) of ${wanted.criterion}`);
  }
}

function sameCorrelations(shown, correlations, metric) {
  const [head, ...rows] = shown;
  for (const wanted of correlations) {
    const name = wanted.metric ?? metric;
    const row = rows.find(([found]) => found === name);
    same(row[head.indexOf(`${wanted.criterion} r`)], wanted.pearson, `r of ${name} and ${wanted.criterion}`);
    same(row[head.indexOf(`${wanted.criterion} τ`)], wanted.kendall, `tau of ${name} and ${wanted.criterion}`);
  }
}

function sameComparisons(shown, comparisons) {
  const [head, ...rows] = shown;
  assert.equal(rows.length, comparisons.length);
  for (const wanted of comparisons) {
    const row = rows.find((row) => row[0] === wanted.method && row[head.indexOf("criterion")] === wanted.criterion);
    for (const figure of ["difference", "p", "p_holm"])
      same(row[head.indexOf(figure)], wanted[figure], `${figure} of ${wanted.method}, ${wanted.criterion}`);
  }
}

async function compareWith(page, method) {
  await page.locator("#analysis-baseline").selectOption(method);
  await page.locator("#table-means").getByText(`* differs from ${method} with p < 0.001.`).waitFor();
  await idle(page);
}

async function scale(page, criterion, low, high) {
  await page.getByLabel(`Lowest rating of ${criterion}`).fill(String(low));
  await page.getByLabel(`Lowest rating of ${criterion}`).blur();
  await idle(page);
  await page.getByLabel(`Highest rating of ${criterion}`).fill(String(high));
  await page.getByLabel(`Highest rating of ${criterion}`).blur();
  await idle(page);
}

journey("the tables are those that other packages make of the same ratings", async ({ page }) => {
  const expected = JSON.parse(DATA("ratings-expected.json"));
  await open(page, "/analysis");
  await drop(page, ["ratings.csv", DATA("ratings.csv")], ["scores.csv", DATA("scores.csv")]);
  await page.locator("#analysis-notes").getByText("The scale of clarity is taken to go from").waitFor();
  await page.getByText("Scales", { exact: true }).click();
  await scale(page, "correctness", 1, 3);
  await scale(page, "clarity", 1, 5);
  await scale(page, "fluency", 1, 5);
  // What was right already is not changed, only said to be right.
  await page.locator("#confirm-scales").click();
  await page.locator("#analysis-notes").waitFor({ state: "detached" });
  await compareWith(page, "plain");
  await page.getByText("Wilcoxon signed-rank test, two-sided").first().waitFor();
  sameMeans(await table(page, "#table-means"), expected.means, expected.comparisons);
  sameAgreement(await table(page, "#table-agreement"), expected.agreement);
  sameCorrelations(await table(page, "#table-correlations"), expected.correlations, "metric");
  await page.getByText("The comparisons behind the stars").click();
  sameComparisons(await table(page, "section:has(> details > .copy-as)"), expected.comparisons);
  // The other test has other p-values, and says so.
  await page.locator("#analysis-test").selectOption("flips");
  await page.locator("#analysis-test-words").getByText("Sign-flip permutation test").waitFor();
});

if (!existsSync(LAB)) {
  console.error(`skipped: the journey that compares the page with lab survey analyse needs ${LAB}`);
} else {
  journey("the page and lab survey analyse say the same of the same files", async ({ page }) => {
    const folder = mkdtempSync(join(tmpdir(), "kibitz-analysis-"));
    try {
      const [ratings, study] = [join(folder, "ratings.csv"), join(folder, "study.json")];
      const lab = (...args) => execFileSync(LAB, ["survey", ...args], { maxBuffer: 1e8, stdio: ["ignore", "pipe", "ignore"] });
      const effects = ["--effect", "theirs=0", "--effect", "ours=0.3", "--effect", "expert=-0.1"];
      lab("simulate", "--positions", "16", "--raters", "7", "--careless", "1", ...effects, "--seed", "5", "--out", ratings, "--study-out", study);
      const analyse = (...more) => JSON.parse(lab("analyse", ratings, "--study", study, "--baseline", "theirs", "--json", ...more));
      await open(page, "/analysis");
      await drop(page, ["ratings.csv", readFileSync(ratings)], ["study.json", readFileSync(study)]);
      await compareWith(page, "theirs");
      const compare = async (report) => {
        sameMeans(await table(page, "#table-means"), report.means, report.comparisons);
        const [head, ...rows] = await table(page, "#table-means");
        for (const row of rows)
          same(row[head.indexOf("words per comment")], report.words.find((words) => words.method === row[0]).mean, `words of ${row[0]}`);
        const [kinds, ...rates] = await table(page, "#table-errors");
        for (const wanted of report.errors)
          same(rates.find(([label]) => label === wanted.label)[kinds.indexOf(wanted.method)], wanted.rate, `${wanted.kind} of ${wanted.method}`);
        sameAgreement(await table(page, "#table-agreement"), report.agreement);
        sameCorrelations(await table(page, "#table-correlations"), report.correlations);
        assert.equal(report.correlations.length, 4 * 5);
      };
      const everybody = analyse();
      assert.equal(everybody.simulated, 7);
      await compare(everybody);
      assert.ok(everybody.comparisons.some((row) => row.p_holm < 0.05), "an effect is found");
      // Flagged, not dropped; left out only when unticked, and then what changes is said.
      const flagged = everybody.raters.filter((rater) => rater.flags.length > 0).map((rater) => rater.rater);
      assert.deepEqual(flagged, ["sim-007"]);
      await page.locator("#raters-summary").getByText("7 raters, 1 flagged, 0 left out.").waitFor();
      await page.getByLabel("sim-007 is in").uncheck();
      await page.locator("#analysis-changes").getByText("What changes without 1 of 7 raters.").waitFor();
      await page.locator("#analysis-changes").getByText(/sim-007 \(named to be left out; flagged: fast/).waitFor();
      await idle(page);
      await compare(analyse("--exclude", "sim-007"));
      assert.ok((await table(page, "#analysis-changes")).length > 5);
      await page.locator("#tick-all").click();
      await page.locator("#analysis-changes").waitFor({ state: "detached" });
      await idle(page);
      await compare(everybody);
      // The file with all figures is the lab's.
      const saved = JSON.parse((await downloaded(page, "#save-report")).text);
      assert.deepEqual(saved.means, everybody.means);
      assert.deepEqual(saved.agreement, everybody.agreement);
      assert.deepEqual(Object.keys(saved), Object.keys(everybody));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

journey("duplicates, conflicts and files of other kinds are named, and the rest is kept", async ({ page }) => {
  await open(page, "/analysis");
  const ratings = DATA("ratings.csv").toString();
  const changed = ratings.replace("p1,plain,clarity,2,", "p1,plain,clarity,5,");
  assert.notEqual(changed, ratings);
  await drop(page, ["first.csv", ratings]);
  const before = await table(page, "#table-means");
  await drop(
    page,
    ["again.csv", changed],
    ["nonsense.json", "{".repeat(100_000)],
    ["bytes.json", Buffer.alloc(9)],
    ["page.csv", "<html><script>alert(1)</script></html>"],
    ["broken.csv", ratings.replace("p3,plain,clarity,", "p3,plain,clarity,9,9,")],
    ["empty.json", " "],
    ["other.json", '{"schema":"kibitz-responses-9"}'],
  );
  const refused = page.locator("#analysis-refused li");
  assert.equal(await refused.count(), 6);
  for (const [name, reason] of [
    ["nonsense.json", /cannot be read/],
    ["bytes.json", /not text/],
    ["page.csv", /the header lacks the column “rater”/],
    ["broken.csv", /line \d+: it has \d+ cells, and there are 9 columns/],
    ["empty.json", /it is empty/],
    ["other.json", /kibitz-responses-9/],
  ]) {
    const text = await refused.filter({ hasText: name }).innerText();
    assert.match(text, reason);
    assert.match(text, /Nothing of it was taken/);
  }
  const notes = page.locator("#analysis-notes");
  await notes.getByText(/again\.csv: r1 answered “5” for clarity of p1\/plain, but “2” was read first and was taken\./).waitFor();
  await notes.getByText(/again\.csv: \d+ rows were there already; taken once\./).waitFor();
  assert.deepEqual(await table(page, "#table-means"), before, "what was there stays as it was");
  // The first file away, the second one counts.
  await page.getByRole("button", { name: "Remove first.csv" }).click();
  await notes.getByText(/rows were there already/).waitFor({ state: "detached" });
  await idle(page);
  assert.notDeepEqual(await table(page, "#table-means"), before);
  await page.locator("#analysis-clear").click();
  await page.locator("#table-means").waitFor({ state: "detached" });
});

journey("a rater's own files: an earlier state is known as one", async ({ page }) => {
  await demonstration(page, "R1");
  await prepare(page);
  await practise(page);
  const answer = async (number) => {
    await heading(page, `Comment ${number} of 26`);
    await rate(page, [3, 4, 4, 4, 5]);
    await page.keyboard.press("Enter");
    await heading(page, `Comment ${number + 1} of 26`);
  };
  await answer(1);
  await page.getByText("Stop for now").click();
  const early = await downloaded(page, "#survey-json");
  await answer(2);
  const late = await downloaded(page, "#survey-json");
  await open(page, "/analysis");
  await drop(page, ["early.json", early.text], ["late.json", late.text]);
  await page.locator("#analysis-list").getByText("R1: 2 of 26 pages answered").waitFor();
  await page.locator("#analysis-notes").getByText("early.json: an earlier state of R1's session; late.json goes further and was taken.").waitFor();
});

journey("tables are copied as CSV, Markdown and LaTeX, whatever methods are called", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const hostile = ["=SUM(A1)", "a_b & 50% <script>", "*|x|"];
  const rows = ["rater,item,position,method,criterion,value"];
  for (const rater of ["r1", "r2", "r3"])
    for (const [place, method] of hostile.entries())
      for (const position of ["p1", "p2", "p3"])
        rows.push(`${rater},${position}/${place},${position},"${method}",clarity,${1 + ((place + rater.length + Number(position[1]) + Number(rater[1])) % 5)}`);
  await open(page, "/analysis");
  await drop(page, ["hostile.csv", rows.join("\n")]);
  const shown = await table(page, "#table-means");
  assert.deepEqual(shown.slice(1).map(([method]) => method), hostile, "names are shown as they are, as text");
  const copied = async (what) => {
    await page.getByRole("button", { name: what }).click();
    await page.locator("#table-means").getByText(`Copied as ${what.split(" ").at(-1)}`).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const latex = await copied("Copy Table 1 as LaTeX");
  assert.match(latex, /^\\begin\{table\}/);
  assert.match(latex, /a\\_b \\& 50\\% \$<\$script\$>\$ & (\\textbf\{|\\underline\{)?0\.\d\d /);
  assert.equal(latex.match(/\\textbf\{0\.\d\d /g).length, 1, "the best mean is bold");
  assert.match(latex, /\{\*\}\$\|\$x\$\|\$ & /);
  const markdown = await copied("Copy Table 1 as Markdown");
  assert.match(markdown, /\| a\\_b \\& 50% \\<script\\> \| (\*\*|<ins>)?0\.\d\d /);
  assert.equal(markdown.match(/\| \*\*0\.\d\d /g).length, 1);
  assert.equal(markdown.match(/\| <ins>0\.\d\d /g).length, 1);
  assert.equal(await page.locator("#table-means td strong").count(), 1);
  assert.equal(await page.locator("#table-means td u").count(), 1);
  const csv = await copied("Copy Table 1 as CSV");
  assert.match(csv, /^method,criterion,mean,low,high,n,positions,raters\n'=SUM\(A1\),clarity,0\./);
  // Undefined cases are explained, and nothing is NaN.
  assert.doesNotMatch(await page.locator(".analysis-page").innerText(), /NaN|undefined|inf\b/);
});

journey("the paper's figures and the reference comments are switches", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/analysis");
  // Three methods; the reference's comments are the references themselves.
  const methods = ["reference", "gpt-x+llm", "gpt-x+ccc"];
  const positions = ["p1", "p2", "p3", "p4"];
  const text = (position, method) =>
    method === "reference" ? `The pawn of ${position} is weak` : `${method === "gpt-x+llm" ? "A" : "The"} knight of ${position}`;
  const study = JSON.parse(DATA("study.json"));
  study.id = "switches";
  study.items = positions.map((id) => ({
    id,
    fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    move: "e4",
    reference: text(id, "reference"),
    comments: methods.map((method) => ({ method, text: text(id, method), scores: { "gcc-fluency": 0.5 } })),
  }));
  const rows = ["study,rater,item,position,method,criterion,value"];
  for (const rater of ["r1", "r2", "r3"])
    for (const [p, position] of positions.entries())
      for (const [m, method] of methods.entries())
        rows.push(`switches,${rater},${position}/${method},${position},${method},fluency,${1 + ((p + m * 2 + Number(rater[1])) % 5)}`);
  await drop(page, ["study.json", JSON.stringify(study)], ["rows.csv", rows.join("\n")]);
  const plain = await table(page, "#table-means");
  const paper = page.locator("#show-paper");
  await paper.check();
  await page.locator("#table-means").getByText("fluency, paper (n = 250)").waitFor();
  await page.locator("#table-means").getByText("beside gpt-x+ccc: the paper's CCC.").waitFor();
  const [head, ...cells] = await table(page, "#table-means");
  assert.deepEqual(cells.map((row) => row[head.indexOf("fluency, paper (n = 250)")]), ["0.62*", "0.84*", "0.91"]);
  assert.deepEqual(cells.map((row) => row[head.indexOf("fluency")]), plain.slice(1).map((row) => row[plain[0].indexOf("fluency")]));
  await page.locator("#table-gcc-eval").getByText("fluency, paper").waitFor();
  await page.getByRole("button", { name: "Copy Table 1 as CSV" }).click();
  await page.locator("#table-means").getByText("Copied as CSV").waitFor();
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(csv, /^method,criterion,.*,paper_method,paper_mean,paper_n,paper_differs_from_ccc\n/);
  await paper.uncheck();
  await page.locator("#table-means").getByText("fluency, paper (n = 250)").waitFor({ state: "detached" });
  assert.deepEqual(await table(page, "#table-means"), plain);
  // BLEU and ROUGE without the references, and with them.
  const before = await table(page, "#table-correlations");
  await page.locator("#count-reference").check();
  await page.locator("#table-correlations").getByText("Reference comments count in BLEU and ROUGE too").waitFor();
  await idle(page);
  const after = await table(page, "#table-correlations");
  assert.deepEqual(after.map(([metric]) => metric), before.map(([metric]) => metric));
  assert.notDeepEqual(after, before);
  await page.locator("#count-reference").uncheck();
  await page.getByText("Reference comments count in BLEU and ROUGE too").waitFor({ state: "detached" });
  await idle(page);
  assert.deepEqual(await table(page, "#table-correlations"), before);
});

journey("simulated raters fill the analysis and are marked as such everywhere", async ({ page }) => {
  await open(page, "/analysis");
  await drop(page, ["ratings.csv", DATA("ratings.csv")]);
  await page.locator("#sim-raters").fill("9");
  await page.locator("#sim-careless").fill("1");
  await page.locator("#sim-positions").fill("20");
  await page.locator("#sim-effects").fill("baseline=0, ours=2");
  await page.locator("#sim-run").click();
  await page.getByText("“ours=2” is no effect").waitFor();
  await page.locator("#sim-effects").fill("baseline=0, ours=0.25");
  await page.locator("#sim-run").click();
  await page.locator("#simulated-banner").waitFor();
  await page.locator("#raters-summary").getByText("9 raters, 1 flagged").waitFor();
  await idle(page);
  await compareWith(page, "baseline");
  for (const id of ["#table-means", "#table-errors", "#table-agreement", "#table-correlations"])
    await page.locator(`${id} .caption`).getByText("Simulated raters, not people.").waitFor();
  for (const id of ["#chart-means", "#chart-distributions", "#chart-agreement"])
    await page.locator(`${id} .simulated`).getByText("Simulated raters, not people.").waitFor();
  const [, , ours] = await table(page, "#table-means");
  assert.ok(ours.slice(1, 6).some((cell) => cell.endsWith("*")), `the effect that was planted is found: ${ours}`);
  // Every chart is named and described, and its figures are in a table beside it.
  const charts = await page.locator("svg[role=img]").evaluateAll((charts) =>
    charts.map((chart) => chart.getAttribute("aria-labelledby").split(" ").map((id) => document.getElementById(id).textContent)),
  );
  assert.equal(charts.length, 5 + 5 + 1);
  assert.ok(charts.every(([title, desc]) => title && /\d/.test(desc)), JSON.stringify(charts));
  await page.getByText("The pairs as a table").click();
  assert.equal((await table(page, "#chart-agreement")).length, 1 + (9 * 8) / 2);
  const ratings = await downloaded(page, "#save-ratings");
  assert.equal(ratings.name, "made-up-simulated-ratings.csv");
  const [head, ...rows] = ratings.text.trim().split("\n");
  assert.equal(head, "study,rater,item,position,method,criterion,value,active_ms,answered_at");
  assert.ok(rows.every((row) => row.split(",")[1].startsWith("sim-")));
  const report = await downloaded(page, "#save-report");
  assert.equal(report.name, "made-up-simulated-analysis.json");
  assert.equal(JSON.parse(report.text).simulated, 9);
  // How many raters such an effect needs.
  await page.locator("#power-effect").fill("0.2");
  await page.locator("#power-positions").fill("30");
  await page.locator("#power-run").click();
  await page.locator("#power-answer").getByText(/^\d+ raters find it with a power of at least 0\.8\.$/).waitFor();
  // What ten moves cannot show is said at once.
  assert.equal(await page.locator("#power-unreachable li").count(), 0);
  await page.locator("#power-positions").fill("10");
  await page.locator("#power-comparisons").fill("4");
  await page.locator("#power-run").click();
  await page.locator("#power-unreachable").getByText("With 10 positions p < 0.001 cannot be reached").waitFor();
  await page.locator("#power-answer").getByText(/\d+ raters find it/).waitFor();
  // The people's ratings are there again.
  await page.locator("#simulated-banner").getByRole("button", { name: "Back to the files" }).click();
  await page.locator("#raters-summary").getByText("5 raters").waitFor();
  assert.equal(await page.getByText("Simulated raters, not people.").count(), 0);
  // A file of simulated raters is known by its codes, wherever it has been.
  await page.locator("#analysis-clear").click();
  await drop(page, ["renamed.csv", ratings.text]);
  await page.locator("#table-means .caption").getByText("Simulated raters, not people.").waitFor();
});

journey("an empty value is a missing answer, and too many methods are a sentence", async ({ page }) => {
  await open(page, "/analysis");
  const ratings = DATA("ratings.csv").toString();
  await drop(page, ["gap.csv", ratings.replace("p1,plain,clarity,2,", "p1,plain,clarity,,")]);
  await page.locator("#analysis-notes").getByText("gap.csv: one row has no value: a missing answer, left out.").waitFor();
  await page.locator("#table-means").waitFor();
  await page.locator("#analysis-clear").click();
  await page.locator("#table-means").waitFor({ state: "detached" });
  const rows = Array.from({ length: 20_000 }, (_, n) => `r1,p1/m${n},p1,=m${n},clarity,${1 + (n % 5)}`);
  await drop(page, ["many.csv", ["rater,item,position,method,criterion,value", ...rows].join("\n")]);
  await page.locator("#analysis-problem").getByText("there are 20000 methods, and at most 50 are analysed").waitFor();
  assert.equal(await page.locator("#table-means").count(), 0);
});

journey("Table 3 says what it rests on", async ({ page }) => {
  await open(page, "/analysis");
  await drop(page, ["ratings.csv", DATA("ratings.csv")]);
  const notes = page.locator("#table-agreement .notices");
  await notes.getByText("In brackets 95 % intervals: percentiles of 1000 bootstrap resamples of the positions, seed 1.").waitFor();
  await notes.getByText("κ and α: 36 items with two ratings or more, 5 raters, 174 ratings.").waitFor();
  await notes.getByText("ICC: 30 items that all raters rated, 5 raters, 150 ratings.").waitFor();
});

/** One rater's results after a comment of the demonstration. */
async function oneRaters(page) {
  await demonstration(page, "R1");
  await prepare(page);
  await practise(page);
  await heading(page, "Comment 1 of 26");
  await rate(page, [1, 4, 4, 4, 5]);
  await page.keyboard.press("Enter");
  await heading(page, "Comment 2 of 26");
  await page.getByText("Stop for now").click();
  return JSON.parse((await downloaded(page, "#survey-json")).text);
}

journey("who took part, pilot sessions, codebook and anonymised files", async ({ page }) => {
  const first = await oneRaters(page);
  // Other ratings: without the study, a scale is known from its lowest and highest rating.
  const otherwise = (ratings) => Object.fromEntries(Object.entries(ratings).map(([name, value]) => [name, value === 1 ? 2 : value - 1]));
  const pages = first.pages.map((page) => ({ ...page, ratings: otherwise(page.ratings) }));
  const second = { ...first, rater: "R2", participant: "5f2a9c", slot: 3, pages };
  const pilot = { ...first, rater: "P1", pilot: true };
  await open(page, "/analysis");
  const files = [first, second, pilot].map((set) => [`${set.rater}.json`, JSON.stringify(set)]);
  await drop(page, ...files);
  const notes = page.locator("#analysis-notes");
  await notes.getByText("1 pilot session (P1) is kept out of the analysis.").waitFor();
  // The table of who took part.
  await page.getByText("Who took part: outcome, pages, checks, time, form").click();
  const [head, ...rows] = await table(page, "#participants");
  assert.deepEqual(rows.map(([rater]) => rater), ["R1", "R2"]);
  const of = (row, name) => row[head.indexOf(name)];
  assert.deepEqual(["participant", "slot", "outcome", "answered", "form_rating"].map((name) => of(rows[1], name)), ["5f2a9c", "3", "partial", "1", "1776"]);
  // Pilots are taken when asked for.
  await page.locator("#include-pilots").check();
  await notes.getByText("1 pilot session (P1) is counted in the analysis.").waitFor();
  await idle(page);
  await page.locator("#raters-summary").getByText("3 raters").waitFor();
  await page.locator("#include-pilots").uncheck();
  await notes.getByText("is kept out").waitFor();
  await idle(page);
  // Without the study there is no codebook, and the page says so.
  assert.equal(await page.locator("#save-codebook-md").isDisabled(), true);
  const anonymised = await downloaded(page, "#save-anonymised");
  assert.match(anonymised.name, /anonymised-ratings\.csv$/);
  const lines = anonymised.text.trim().split("\n").slice(1).map((line) => line.split(","));
  assert.deepEqual([...new Set(lines.map((line) => line[1]))], ["R001", "R002"]);
  assert.ok(lines.every((line) => line[8] === ""), "no times of day");
  for (const secret of ["5f2a9c", "P1", "1776", ...first.journal.slice(0, 1).map((event) => String(event.at.wall))])
    assert.ok(!anonymised.text.includes(secret), secret);
});

journey("the codebook lies beside the ratings of a known study", async ({ page }) => {
  await open(page, "/analysis");
  await drop(page, ["study.json", DATA("study.json")]);
  await page.locator("#sim-run").click();
  await page.locator("#raters-summary").getByText(/raters/).waitFor();
  await idle(page);
  const csv = await downloaded(page, "#save-codebook-csv");
  assert.match(csv.name, /codebook\.csv$/);
  assert.match(csv.text, /^part,name,values,meaning,missing\n/);
  const markdown = await downloaded(page, "#save-codebook-md");
  assert.match(markdown.text, /\| column \| rater \|/);
});

journey("a running study is watched: files, and a list at an address", async ({ page, context }) => {
  const set = await oneRaters(page);
  const other = { ...set, rater: "R2", outcome: "declined", pages: [] };
  await open(page, "/analysis");
  await page.locator("#live-files").setInputFiles([
    { name: "R1.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(set)) },
    { name: "R2.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(other)) },
    { name: "odd.json", mimeType: "application/json", buffer: Buffer.from("{") },
  ]);
  await page.locator("#live-summary").getByText(/^2 raters: 0 complete, 1 under way, 0 away for more than half an hour, 1 ended early\./).waitFor();
  await page.locator("#live-refused").getByText("odd.json:").waitFor();
  const [, first, second] = await table(page, "#live-raters");
  assert.deepEqual(first.slice(0, 3), ["R1", "rating", "1 of 26"]);
  assert.deepEqual(second.slice(0, 2), ["R2", "declined"]);
  await page.locator("#live-target").fill("2");
  await page.locator("#live-target").blur();
  await page.locator("#live-quotas").getByText("0 of 1 comments have 2 ratings or more.").waitFor();
  // A list as nginx makes it; what has not changed is not fetched again.
  const list = [{ name: "R1.json", type: "file", mtime: "Mon, 23 Nov 2026 10:00:00 GMT", size: 9 }];
  const asked = [];
  const headers = { "access-control-allow-origin": "*" };
  await context.route("https://results.example.org/**", (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    if (pathname === "/study/") return route.fulfill({ json: list, headers });
    return route.fulfill({ json: { ...set, rater: pathname.slice("/study/".length, -".json".length) }, headers });
  });
  await page.locator("#live-address").fill("http://results.example.org/study/");
  await page.locator("#live-watch").click();
  await page.locator("#live-problem").getByText("The address must begin with https://").waitFor();
  await page.locator("#live-address").fill("https://results.example.org/study/");
  await page.locator("#live-watch").click();
  await page.locator("#live-summary").getByText(/^1 rater:/).waitFor();
  list.push({ name: "R9.json", type: "file", mtime: "Mon, 23 Nov 2026 10:01:00 GMT", size: 9 });
  await page.locator("#live-again").click();
  await page.locator("#live-summary").getByText(/^2 raters:/).waitFor();
  const fetched = asked.filter((path) => path.endsWith(".json"));
  assert.deepEqual(fetched, ["/study/R1.json", "/study/R9.json"]);
  await page.locator("#live-stop").click();
  await page.locator("#live-stop").waitFor({ state: "detached" });
  // A list that leads elsewhere is refused whole.
  list.push({ name: "../other/R3.json", type: "file", mtime: "", size: 9 });
  await page.locator("#live-again").click();
  await page.locator("#live-problem").getByText("which is not below the address: nothing was fetched").waitFor();
});

journey("40 raters of a share each are watched: counts of every comment, checks failed, minutes", async ({ page }) => {
  await open(page, "/study");
  await startFromDemonstration(page);
  for (const [id, value] of [["#builder-items-per-rater", "2"], ["#builder-raters-per-item", "10"]]) {
    await page.locator(id).fill(value);
    await page.locator(id).press("Tab");
  }
  await page.locator("#builder-needed").getByText("40 raters are needed, each for 2 items.").waitFor();
  const study = JSON.parse((await downloaded(page, "#builder-save")).text);
  const one = await oneRaters(page);
  const check = study.checks.planted[0];
  const expected = Object.fromEntries(check.expected.map(({ criterion, values }) => [criterion, values[0]]));
  const ratings = Object.fromEntries(study.criteria.map(({ id }) => [id, 3]));
  const items = study.items.length;
  const page_of = (item, position, method, kind, minutes, more) => ({
    ...one.pages[0], item, position, method, kind, ratings, ticked: {}, texts: {}, changes: [], active_ms: minutes * 60_000, ...more,
  });
  // What each rater did: slots take the items in turn, two each, with all comments on them; every fifth fails the check.
  const sets = Array.from({ length: 40 }, (_, index) => {
    const slot = index + 1;
    const own = [(2 * index) % items, (2 * index + 1) % items].map((place) => study.items[place]);
    const comments = own.flatMap((item) =>
      item.comments.map(({ method }) => page_of(`${item.id}/${method}`, item.id, method, "comment", 1, { passed: null })),
    );
    const passed = slot % 5 !== 0;
    const planted = page_of(`check/${check.id}`, check.id, "check", "planted", 2, { passed, ratings: { ...ratings, ...(passed ? expected : {}) } });
    const pages = [...comments, planted];
    return { ...one, rater: `p${slot}`, participant: `p${slot}`, slot, outcome: "complete", pages, pages_in_all: pages.length, journal: [] };
  });
  await open(page, "/analysis");
  const file = (name, value) => ({ name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(value)) });
  await page.locator("#live-files").setInputFiles([file("study.json", study), ...sets.map((set) => file(`${set.rater}.json`, set))]);
  await page.locator("#live-summary").getByText(/^40 raters: 40 complete, 0 under way/).waitFor();
  await page.locator("#live-target").fill("10");
  await page.locator("#live-target").blur();
  const comments = study.items.flatMap((item) => item.comments);
  await page.locator("#live-quotas").getByText(`${comments.length} of ${comments.length} comments have 10 ratings or more.`).waitFor();
  // Forty raters, two of eight items each: ten for every comment.
  const [[, ...methods], ...quotas] = await table(page, "#live-quotas");
  assert.deepEqual(methods, [...new Set(comments.map(({ method }) => method))].sort());
  assert.deepEqual(quotas, study.items.map((item) => [item.id, ...methods.map(() => "10 of 10")]));
  const [head, ...raters] = await table(page, "#live-raters");
  assert.equal(raters.length, 40);
  const column = (name) => head.findIndex((title) => title.toLowerCase().includes(name));
  for (const row of raters) {
    const slot = Number(row[0].slice(1));
    const pages = sets[slot - 1].pages.length;
    assert.deepEqual(row.slice(1, 3), ["complete", `${pages} of ${pages}`]);
    assert.match(row[column("check")], slot % 5 === 0 ? /^1 of 1$/ : /^0 of 1$/, `checks of ${row[0]}`);
    // A minute for each comment, and two for the check.
    assert.equal(Number(row[column("active min")]), pages + 1, `minutes of ${row[0]}`);
  }
});

journey("a running study is watched: a folder", async ({ page }) => {
  await page.clock.install();
  const set = await oneRaters(page);
  await open(page, "/analysis");
  // Nobody but a person can use the browser's dialog. It is all that is stood in for: the folder is a real one, of the
  // origin's private file system, with the same handles.
  await page.evaluate(() => {
    globalThis.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("results", { create: true });
  });
  const write = (path, text) =>
    page.evaluate(
      async ([path, text]) => {
        let folder = await globalThis.showDirectoryPicker();
        const names = path.split("/");
        for (const name of names.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
        const file = await folder.getFileHandle(names.at(-1), { create: true });
        const writable = await file.createWritable();
        await writable.write(text);
        await writable.close();
      },
      [path, text],
    );
  await write("R1.json", JSON.stringify(set));
  await write("notes.txt", "No results.");
  await page.locator("#live-folder").click();
  const summary = page.locator("#live-summary");
  await summary.getByText(/^1 rater: 0 complete, 1 under way/).waitFor();
  await page.getByText("From the folder “results”.").waitFor();
  await page.locator("#live-status").getByText(/^1 files, looked at /).waitFor();
  // Other raters' files come, one of them into a folder in the folder, and one is not whole yet: half a minute later they are
  // there, without a click.
  await write("R2.json", JSON.stringify({ ...set, rater: "R2", outcome: "declined", pages: [] }));
  await write("more/R3.json", JSON.stringify({ ...set, rater: "R3" }));
  await write("R4.json", JSON.stringify({ ...set, rater: "R4" }).slice(0, 100));
  await page.clock.fastForward(31_000);
  await summary.getByText(/^3 raters: 0 complete, 2 under way, 0 away for more than half an hour, 1 ended early\./).waitFor();
  await page.locator("#live-refused").getByText("R4.json:").waitFor();
  const [, ...rows] = await table(page, "#live-raters");
  assert.deepEqual(rows.map(([rater]) => rater).sort(), ["R1", "R2", "R3"]);
  // A file that has changed is read again, asked for by a click; one that is gone is gone.
  await write("R4.json", JSON.stringify({ ...set, rater: "R4" }));
  await page.evaluate(async () => (await globalThis.showDirectoryPicker()).removeEntry("R2.json"));
  await page.locator("#live-again").click();
  await summary.getByText(/^3 raters: 0 complete, 3 under way/).waitFor();
  await page.locator("#live-refused").waitFor({ state: "detached" });
  // Stopped, it stays as it is.
  await page.locator("#live-stop").click();
  await page.locator("#live-stop").waitFor({ state: "detached" });
  await write("R5.json", JSON.stringify({ ...set, rater: "R5" }));
  const looked = await page.locator("#live-status").innerText();
  await page.clock.fastForward(61_000);
  assert.equal(await page.locator("#live-status").innerText(), looked);
  // Who thinks better of it in the dialog keeps what is there.
  await page.evaluate(() => {
    globalThis.showDirectoryPicker = () => Promise.reject(new DOMException("The user aborted a request.", "AbortError"));
  });
  await page.locator("#live-folder").click();
  await summary.getByText(/^3 raters:/).waitFor();
  assert.equal(await page.locator("#live-problem").innerText(), "");
});

journey("a file for a spreadsheet holds no formula, if the reader wants that", async ({ page }) => {
  await open(page, "/analysis");
  const head = "rater,item,position,method,criterion,value\n";
  const rows = ["a", "b", "c"].map((rater) => `${rater},p1-m,p1,=1+1,clarity,4\n${rater},p1-n,p1,plain,clarity,3\n`).join("");
  await drop(page, ["hostile.csv", head + rows]);
  await page.locator("#table-means").waitFor();
  // Three raters, one such cell in one row of each; what the file names besides is harmless.
  await page.locator("#analysis-notes").getByText("3 cells of these ratings would be run as formulas by a spreadsheet program").waitFor();
  const exact = await downloaded(page, "#save-ratings");
  assert.match(exact.text, /,=1\+1,/);
  await page.locator("#analysis-settings .spreadsheet-safe").check();
  const safe = await downloaded(page, "#save-ratings");
  assert.match(safe.text, /,'=1\+1,/);
  assert.doesNotMatch(safe.text, /(^|,)[=@]/m);
});

journey("200 raters on 250 comments: the page answers while it computes", async ({ page }) => {
  await open(page, "/analysis");
  await page.locator("#sim-raters").fill("200");
  await page.locator("#sim-careless").fill("10");
  await page.locator("#sim-effects").fill("a=0, b=0.1, c=0.05, d=-0.1, e=0");
  await page.locator("#sim-run").click();
  await page.locator("#raters-summary").getByText(/^200 raters/).waitFor({ timeout: 2 * PATIENCE });
  await idle(page);
  const { text } = await downloaded(page, "#save-ratings");
  const folder = mkdtempSync(join(tmpdir(), "kibitz-analysis-"));
  try {
    const file = join(folder, "two-hundred.csv");
    writeFileSync(file, text);
    await page.reload();
    await page.locator("#boot").waitFor({ state: "detached" });
    // The page's own part is fetched after the app has started.
    await page.locator(".analysis-page").waitFor();
    // What the app does while it starts is not what is measured.
    await keptForOffline(page);
    await page.evaluate(() => {
      globalThis.longTasks = [];
      new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({
        type: "longtask",
      });
      // What the page does when it is clicked while it works: the click is heard, and drawn.
      globalThis.answered = 0;
      globalThis.asking = setInterval(() => {
        if (document.querySelector(".analysis-page").ariaBusy !== "true") return;
        const button = document.querySelector("header.top button.quiet");
        const before = button.textContent;
        button.click();
        requestAnimationFrame(() => (globalThis.answered += Number(button.textContent !== before)));
      }, 100);
    });
    await page.locator("#analysis-files").setInputFiles(file);
    await page.locator("#raters-summary").getByText(/^200 raters/).waitFor({ timeout: 2 * PATIENCE });
    await idle(page);
    await page.evaluate(() => clearInterval(globalThis.asking));
    const status = await page.locator("#analysis-status").innerText();
    assert.match(status, /^200 raters, 250 comments on 50 moves, 250000 ratings\./);
    const { longTasks, answered } = await page.evaluate(() => ({ longTasks: globalThis.longTasks, answered: globalThis.answered }));
    console.log(`  ${(text.length / 1e6).toFixed(1)} MB: ${status} Tasks above 50 ms: ${longTasks.join(", ") || "none"} (ms).`);
    assert.ok(answered > 0, "a click is answered while the page is at work");
    // Another question: nothing is read again.
    await compareWith(page, "a");
    console.log(`  compared with a method: ${await page.locator("#analysis-status").innerText()}`);
    await page.locator("#untick-flagged").click();
    await page.locator("#analysis-changes").getByText(/What changes without 1\d of 200 raters/).waitFor();
    await idle(page);
    console.log(`  without the flagged: ${await page.locator("#analysis-status").innerText()}`);
    const all = await page.evaluate(() => globalThis.longTasks);
    console.log(`  tasks above 50 ms in all: ${all.join(", ") || "none"} (ms)`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

journey("fits a phone", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }, async ({ page }) => {
  await open(page, "/survey");
  await page.getByRole("link", { name: "Analyse ratings" }).click();
  await page.getByRole("heading", { name: "Analyse ratings" }).waitFor();
  await drop(page, ["ratings.csv", DATA("ratings.csv")], ["scores.csv", DATA("scores.csv")]);
  await page.getByLabel("r1 is in").uncheck();
  await page.locator("#analysis-changes").waitFor();
  await idle(page);
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= room, `${wide} pixels wide on a screen of ${room}`);
  // The box that was unticked still has the focus.
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "r1 is in");
  await page.locator("#analysis-raters").getByText("5 raters, 0 flagged, 1 left out.").waitFor();
});
