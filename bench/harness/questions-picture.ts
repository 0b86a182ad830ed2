export interface QuestionCount {
  title: string;
  lines: number;
  /** Asks per 100 lines that should run without a question. */
  shouldRun: { without: number; behind: number };
  /** The same for every line but those that are denied to everyone. */
  mayRun: { without: number; behind: number };
}

const WIDTH = 760;
const ROW = 46;
const TOP = 78;
const LABELS = 190;
const PANEL = 250;
/** Where the second column starts. */
const SECOND = LABELS + PANEL + 30;

/** Two columns of bars, one pair for each file of lines, for the documents. */
export function drawQuestions(counts: readonly QuestionCount[]): string {
  const height = TOP + counts.length * ROW + 16;
  const rows = counts.map(({ title, lines, shouldRun, mayRun }, order) => {
    const y = TOP + order * ROW;
    return `<text x="16" y="${y + 14}" fill="#111">${title}</text><text x="16" y="${y + 28}" fill="#555">${lines.toLocaleString("en")} lines</text>
${bars(LABELS, y, shouldRun, 10)}
${bars(SECOND, y, mayRun, 50)}`;
  });
  const goalX = LABELS + (2 / 10) * (PANEL - 40);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="11">
<title>Questions per 100 commands, without a wall and in a sandbox</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="16" y="24" font-size="14" fill="#111">Questions per 100 commands</text>
<rect x="${SECOND}" y="14" width="10" height="10" fill="${COLOURS.without}"/><text x="${SECOND + 15}" y="23" fill="#333">without a wall</text>
<rect x="${SECOND + 110}" y="14" width="10" height="10" fill="${COLOURS.behind}"/><text x="${SECOND + 125}" y="23" fill="#333">in a sandbox</text>
<text x="${LABELS}" y="${TOP - 22}" fill="#333">commands that should run</text>
<text x="${SECOND}" y="${TOP - 22}" fill="#333">all that a person may allow</text>
<line x1="${goalX}" y1="${TOP - 8}" x2="${goalX}" y2="${height - 16}" stroke="#555" stroke-dasharray="3 3"/><text x="${goalX + 4}" y="${TOP - 6}" fill="#555">goal: 2</text>
${rows.join("\n")}
</svg>
`;
}

const COLOURS = { without: "#b8c4d0", behind: "#0b6bcb" };

function bars(left: number, top: number, { without, behind }: QuestionCount["shouldRun"], most: number): string {
  return Object.entries({ without, behind })
    .map(([name, value], order) => {
      const y = top + 3 + order * 15;
      const width = Math.max(1, (value / most) * (PANEL - 40));
      return (
        `<rect x="${left}" y="${y}" width="${width.toFixed(1)}" height="12" fill="${COLOURS[name as keyof typeof COLOURS]}"/>` +
        `<text x="${(left + width + 5).toFixed(1)}" y="${y + 10}" fill="#111">${value.toFixed(1)}</text>`
      );
    })
    .join("");
}
