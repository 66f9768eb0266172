"use strict";
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
const SHAPES = ["circle", "rect", "triangle", "rectRot"];

/** The colour of a variable of the style sheet, as it is now: light, dark or print. */
function colour(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

function percentile(x) {
  return `${+(100 * (1 - 1 / x)).toFixed(6)} %`;
}

/** The ticks of a percentile axis stand at 50, 90, 99, 99.9 and so on. */
function percentileTicks(axis) {
  axis.ticks = [2, 10, 100, 1e3, 1e4, 1e5].filter(x => x >= axis.min && x <= axis.max).map(value => ({ value }));
}

/** A logarithmic axis names 1, 2 and 5 of each decade: more would not fit. */
function logarithmicTick(value) {
  const first = value / 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5].includes(+first.toFixed(6)) ? value.toLocaleString("en") : "";
}

function axis(of) {
  const shown = {
    type: of.scale === "LINEAR" ? "linear" : "logarithmic",
    title: { display: true, text: of.label },
    ticks: { callback: of.scale === "LINEAR" ? value => value.toLocaleString("en") : logarithmicTick },
  };
  if (of.scale === "LINEAR") shown.beginAtZero = true;
  if (of.scale === "PERCENTILE") {
    shown.afterBuildTicks = percentileTicks;
    shown.ticks.callback = percentile;
  }
  return shown;
}

function dataset(line, index) {
  const points = line.points.map(([x, y]) => ({ x, y }));
  const events = line.events.length > 0;
  return {
    label: line.name, data: points, events: line.events, showLine: !events,
    borderDash: DASHES[index % DASHES.length], pointStyle: events ? "triangle" : SHAPES[index % SHAPES.length],
    borderWidth: 2, pointRadius: events ? 6 : points.length > 60 ? 0 : 3,
  };
}

function tip(item, x) {
  const at = x.scale === "PERCENTILE" ? percentile(item.raw.x) : item.raw.x.toLocaleString("en");
  const event = item.dataset.events[item.dataIndex];
  return event ? `${at} s: ${event}` : `${item.dataset.label}: ${item.raw.y.toLocaleString("en")} at ${at}`;
}

function paint(chart) {
  chart.data.datasets.forEach((set, i) => {
    set.borderColor = set.backgroundColor = set.pointBackgroundColor = set.pointBorderColor = colour(`--line-${i % 8}`);
  });
  const [muted, grid] = [colour("--muted"), colour("--line")];
  for (const scale of Object.values(chart.options.scales)) {
    scale.ticks.color = scale.title.color = muted;
    scale.grid = { color: grid };
  }
  chart.options.plugins.legend.labels.color = colour("--text");
  chart.update("none");
}

function draw(of) {
  const chart = new Chart(document.querySelector(`[id="${of.id}"] canvas`), {
    type: "line",
    data: { datasets: of.lines.map(dataset) },
    options: {
      animation: false, maintainAspectRatio: false, normalized: true,
      interaction: { mode: "nearest", axis: "x" },
      scales: { x: axis(of.x), y: axis(of.y) },
      plugins: {
        legend: { labels: { usePointStyle: true } },
        tooltip: { callbacks: { title: () => "", label: item => tip(item, of.x) } },
      },
    },
  });
  paint(chart);
  return chart;
}

const charts = JSON.parse(document.getElementById("data").textContent).map(draw);
const repaint = () => charts.forEach(paint);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
matchMedia("print").addEventListener("change", () => { charts.forEach(chart => chart.resize()); repaint(); });
document.documentElement.dataset.drawn = charts.length;
