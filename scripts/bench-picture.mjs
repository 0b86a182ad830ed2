const ROW = 34;
const WIDTH = 1000;

/** Every goal of a run as a bar: how far the measured value is above or below it. */
export function drawRows(rows) {
  const judged = rows.filter(({ goal }) => goal !== null);
  const height = 50 + judged.length * ROW;
  const reached = judged.filter(({ verdict }) => verdict === "reached").length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="11">
<title>What npm run bench measured, beside its goals</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="16" y="24" font-size="14" fill="#111">npm run bench: ${reached} of ${judged.length} goals reached</text>
${judged.map(drawRow).join("\n")}
</svg>
`;
}

function drawRow({ what, measured, value, goal, peers, verdict }, index) {
  const y = 40 + index * ROW;
  const isLeast = "atLeast" in goal;
  const wanted = isLeast ? goal.atLeast : goal.atMost;
  // 1 is exactly the goal; more is better, for both "at least" and "at most" goals.
  const score = isLeast
    ? value / (wanted || 1)
    : wanted === 0
      ? value === 0
        ? 2
        : 0.05
      : wanted / Math.max(value, 1e-9);
  const width = Math.max(3, Math.min(200, 100 * score));
  const colour = verdict === "reached" ? "#1a7f37" : "#b35900";
  const others = Object.entries(peers).map(([name, text]) => `${name} ${text}`);
  return `<g><text x="16" y="${y + 13}" fill="#111">${escapeText(what)}</text>
<text x="16" y="${y + 27}" fill="#666" font-size="10">${escapeText(others.join(" · "))}</text>
<rect x="470" y="${y + 5}" width="${width.toFixed(0)}" height="12" fill="${colour}"/>
<line x1="570" y1="${y + 2}" x2="570" y2="${y + 20}" stroke="#111"/>
<text x="690" y="${y + 14}" fill="#111">${escapeText(measured)}: ${value.toFixed(2)}, goal ${isLeast ? "≥" : "≤"} ${wanted}, ${verdict}</text></g>`;
}

function escapeText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
