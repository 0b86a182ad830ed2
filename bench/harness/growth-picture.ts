export interface GrowthPoint {
  terminals: number;
  memoryMb: number;
  idleCpuPercent: number;
  echoP50Ms: number;
  echoP99Ms: number;
  listMs: number;
}

const WIDTH = 760;
const PANEL = { width: 170, height: 120, left: 40, top: 50 };

/** Four small curves over the number of terminals, for the documents. */
export function drawGrowth(points: readonly GrowthPoint[]): string {
  const panels = [
    panel(0, "memory, MB", points, ({ memoryMb }) => memoryMb),
    panel(1, "idle CPU, % of a core", points, ({ idleCpuPercent }) => idleCpuPercent),
    panel(2, "key echo p50, ms", points, ({ echoP50Ms }) => echoP50Ms),
    panel(3, "list of all, ms", points, ({ listMs }) => listMs),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 220" font-family="system-ui, sans-serif" font-size="11">
<title>What terminals cost as their number grows</title>
<rect width="${WIDTH}" height="220" fill="#fff"/>
<text x="16" y="24" font-size="14" fill="#111">Belay with ${points.map(({ terminals }) => terminals).join(", ")} open terminals (host and gateway together)</text>
${panels.join("\n")}
</svg>
`;
}

function panel(index: number, title: string, points: readonly GrowthPoint[], of: (point: GrowthPoint) => number) {
  const left = PANEL.left + index * (PANEL.width + 10);
  const bottom = PANEL.top + PANEL.height + 20;
  const most = Math.max(...points.map(of)) * 1.15 || 1;
  const at = (point: GrowthPoint, order: number) => ({
    x: left + 8 + (order * (PANEL.width - 40)) / Math.max(1, points.length - 1),
    y: bottom - (of(point) / most) * PANEL.height,
  });
  const places = points.map(at);
  const line = places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const labels = points.map((point, order) => {
    const { x, y } = places[order] as { x: number; y: number };
    const value = of(point);
    return (
      `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2.5" fill="#0b6bcb"/>` +
      `<text x="${x.toFixed(1)}" y="${(y - 7).toFixed(1)}" text-anchor="middle" fill="#111">${value.toFixed(value < 10 ? 1 : 0)}</text>` +
      `<text x="${x.toFixed(1)}" y="${bottom + 14}" text-anchor="middle" fill="#555">${point.terminals}</text>`
    );
  });
  return `<g><text x="${left}" y="${PANEL.top}" fill="#333">${title}</text>
<line x1="${left}" y1="${bottom}" x2="${left + PANEL.width - 22}" y2="${bottom}" stroke="#bbb"/>
<polyline points="${line}" fill="none" stroke="#0b6bcb" stroke-width="1.5"/>
${labels.join("\n")}</g>`;
}
