// The dashboard: shows the snapshots the node sends once a second, and asks it for what an
// administrator wants. Nothing is built; the browser runs this file as it is.

const byId = id => document.getElementById(id);

/** An element with properties, attributes in `attributes`, and children. */
function element(name, properties = {}, ...children) {
  const { attributes = {}, ...rest } = properties;
  const made = Object.assign(document.createElement(name), rest);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// ---------------------------------------------------------------- numbers

const NONE = '–';
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

const known = value => value !== null && value !== undefined;
const count = value => known(value) ? whole.format(value) : NONE;
const rate = value => !known(value) ? NONE : value > 0 && value < 100 ? tenths.format(value) : whole.format(value);

function bytes(value) {
  if (!known(value)) return NONE;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? whole.format(value) : tenths.format(value)} ${units[unit]}`;
}

/** Of milliseconds, in the unit that reads best. */
function time(ms) {
  if (!known(ms)) return NONE;
  if (ms === 0) return '0 ms';
  const { least, most } = state.snapshot?.latencyMs ?? {};
  if (ms <= least) return `≤ ${exactTime(least)}`;
  return ms >= most ? `≥ ${exactTime(most)}` : exactTime(ms);
}

function exactTime(ms) {
  if (ms < 1) return `${digits.format(ms * 1000)} µs`;
  return ms < 1000 ? `${digits.format(ms)} ms` : `${digits.format(ms / 1000)} s`;
}

function span(seconds) {
  const parts = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
  const at = parts.findIndex(([size]) => seconds >= size);
  if (at < 0 || at === 3) return `${Math.floor(seconds)} s`;
  const [size, unit] = parts[at];
  const [lesser, lesserUnit] = parts[at + 1];
  return `${Math.floor(seconds / size)} ${unit} ${Math.floor(seconds % size / lesser)} ${lesserUnit}`;
}

/** Writes a figure, and keeps its exact value beside what is shown of it. */
function show(target, value, format, alarming = false) {
  setText(target, format(value));
  target.dataset.value = known(value) ? value : '';
  target.classList.toggle('zero', value === 0 || !known(value));
  target.classList.toggle('alarm', alarming && value > 0);
}

// ---------------------------------------------------------------- what is shown of a service

const perSecond = name => service => service.perSecond?.[name];
const recent = (histogram, name) => service => service[histogram]?.recent?.[name];
const all = (histogram, name) => service => service[histogram]?.all?.[name];

/** Columns of the overview: figure, label on a narrow screen, value, format, alarming above zero. */
const COLUMNS = [
  ['busyWorkers', 'Busy / workers', service => service.busyWorkers, count],
  ['waitingInMemory', 'In memory', service => service.waitingInMemory, count],
  ['waitingOnDisk', 'On disk', service => service.waitingOnDisk, count],
  ['acceptedPerSecond', 'Accepted/s', perSecond('accepted'), rate],
  ['completedPerSecond', 'Completed/s', perSecond('completed'), rate],
  ['failedPerSecond', 'Failed/s', perSecond('failed'), rate, true],
  ['waitedRecently', 'Waited p99', recent('waitedMs', 'p99'), time],
  ['handledRecently', 'Handled p99', recent('handledMs', 'p99'), time],
  ['rejected', 'Rejected', service => service.rejected, count],
  ['deadLetters', 'Dead letters', service => service.deadLetters, count, true],
];

function percentiles(what) {
  const row = (name, label) => [`${what}-${name}`, label, all(`${what}Ms`, name), time];
  const now = (name, label) => [`${what}-recent-${name}`, `${label}, last 10 s`, recent(`${what}Ms`, name), time];
  return [now('p50', 'p50'), now('p99', 'p99'), row('p50', 'p50'), row('p90', 'p90'), row('p99', 'p99'), row('p999', 'p99.9')];
}

/** The figures of one service, by group: figure, label, value, format, alarming above zero. */
const FIGURES = [
  ['Now', [
    ['busyWorkers', 'Busy workers', service => service.busyWorkers, count],
    ['workers', 'Workers', service => service.workers, count],
    ['waitingInMemory', 'Waiting in memory', service => service.waitingInMemory, count],
    ['waitingInMemoryBytes', 'Their size', service => service.waitingInMemoryBytes, bytes],
    ['waitingOnDisk', 'Waiting on disk', service => service.waitingOnDisk, count],
    ['waitingOnDiskBytes', 'Their size', service => service.waitingOnDiskBytes, bytes],
    ['diskLimitBytes', 'Disk budget', service => service.diskLimitBytes, bytes],
    ['scheduled', 'Scheduled again', service => service.scheduled, count],
  ]],
  ['Since the start', [
    ['accepted', 'Accepted', service => service.accepted, count],
    ['completed', 'Completed', service => service.completed, count],
    ['failed', 'Failed', service => service.failed, count],
    ['retried', 'Retried', service => service.retried, count],
    ['rejected', 'Rejected', service => service.rejected, count],
    ['dropped', 'Dropped', service => service.dropped, count],
    ['deadLetters', 'Dead letters', service => service.deadLetters, count, true],
  ]],
  ['Waited for a worker', percentiles('waited')],
  ['Handled', percentiles('handled')],
];

/** The figures of the gateway: figure, label, format, alarming above zero. */
const GATEWAY = [
  ['requestsPerSecond', 'Requests/s', rate],
  ['inFlight', 'In flight', count],
  ['bodyBytesInFlight', 'Bodies in flight', bytes],
  ['connections', 'Connections', count],
  ['refusedConnections', 'Connections refused', count, true],
  ['rejectedRequests', 'Requests refused (503)', count, true],
  ['deniedRequests', 'Requests denied (401, 403)', count],
  ['timeouts', 'Timeouts of clients', count],
];

const percent = value => known(value) ? `${tenths.format(100 * value)} %` : NONE;

/** The figures of the process: figure, label, format. */
const PROCESS = [
  ['heapUsedBytes', 'Heap used', bytes],
  ['heapMaxBytes', 'Heap, at most', bytes],
  ['otherUsedBytes', 'Other memory of the JVM', bytes],
  ['pausedForGc', 'Stopped by GC', percent],
  ['cpu', 'CPU used, of the machine', percent],
  ['threads', 'Threads', count],
];

// ---------------------------------------------------------------- state

const KEPT_SECONDS = 120;
const HOUR_SECONDS = 3600;
const state = {
  snapshot: null,
  chosen: addressIn(location.hash),
  history: new Map(),
  hour: new Map(),
  shownSeconds: KEPT_SECONDS,
};

/** The address that a link names; null for none, or for one that is not well formed. */
function addressIn(hash) {
  try {
    return decodeURIComponent(hash.slice(1)) || null;
  } catch {
    return null;
  }
}

function service(address) {
  return state.snapshot?.services.find(its => its.address === address);
}

function remember(snapshot) {
  const present = new Set(snapshot.services.map(its => its.address));
  for (const history of [state.history, state.hour]) {
    [...history.keys()].filter(address => !present.has(address)).forEach(address => history.delete(address));
  }
  for (const points of state.hour.values()) {
    while (points.length > 0 && points[0].atMs < snapshot.atMs - HOUR_SECONDS * 1000) points.shift();
  }
  for (const its of snapshot.services) {
    const points = state.history.get(its.address) ?? [];
    state.history.set(its.address, points);
    // What was not seen is left open.
    if (points.length > 0 && snapshot.atMs - points.at(-1).atMs > 3500) points.push({ atMs: snapshot.atMs - 1000 });
    points.push({
      atMs: snapshot.atMs,
      accepted: its.perSecond?.accepted,
      completed: its.perSecond?.completed,
      failed: its.perSecond?.failed,
      memory: its.waitingInMemory,
      disk: its.waitingOnDisk,
      waited: its.waitedMs?.recent?.p99,
      handled: its.handledMs?.recent?.p99,
    });
    while (points[0].atMs < snapshot.atMs - KEPT_SECONDS * 1000) points.shift();
  }
}

/** Begins with what the node remembers, or goes on with it. */
function recall({ atMs, services }, history) {
  Object.entries(services).forEach(([address, series]) => {
    const points = atMs.map((time, place) => {
      const point = { atMs: time };
      Object.entries(series).forEach(([name, values]) => { point[name] = values[place] ?? undefined; });
      return point;
    });
    const have = history.get(address) ?? [];
    const older = have.filter(point => point.atMs < (atMs[0] ?? 0));
    const newer = have.filter(point => point.atMs > (atMs.at(-1) ?? 0));
    history.set(address, [...older, ...points, ...newer]);
  });
}

// ---------------------------------------------------------------- tables

/** Rows that stay the same elements while their key is there, so that focus and selection stay. */
function syncRows(body, keys, make) {
  const rows = new Map([...body.children].map(row => [row.dataset.key, row]));
  keys.forEach((key, place) => {
    let row = rows.get(key);
    rows.delete(key);
    if (!row) {
      row = make(key);
      row.dataset.key = key;
      row.setAttribute('role', 'row');
    }
    if (body.children[place] !== row) body.insertBefore(row, body.children[place] ?? null);
  });
  rows.forEach(row => row.remove());
  return [...body.children];
}

const rowHead = (...children) => element('th', { attributes: { role: 'rowheader', scope: 'row' } }, ...children);

function cell(figure, label, number = true) {
  return element('td', { className: number ? 'number' : '', attributes: { role: 'cell', 'data-label': label } },
    element('span', { attributes: { 'data-figure': figure } }));
}

function makeServiceRow(address) {
  const choose = element('button', { type: 'button', className: 'link', textContent: address, onclick: () => select(address) });
  const head = rowHead(choose, ' ', element('span', { className: 'badge', textContent: 'paused', hidden: true, attributes: { 'data-state': 'warn' } }));
  const row = element('tr', {}, head, ...COLUMNS.map(([figure, label]) => cell(figure, label)));
  row.querySelector('[data-figure=busyWorkers]').after(
    element('span', { className: 'unit', textContent: ' / ' }),
    element('span', { className: 'figure', attributes: { 'data-figure': 'workers' } }),
    element('span', { className: 'level', attributes: { 'aria-hidden': 'true' } }, element('span')));
  return row;
}

function renderServices(snapshot) {
  const services = snapshot.services;
  byId('services').hidden = services.length === 0;
  byId('no-services').hidden = services.length > 0;
  setText(byId('no-services'), 'No services yet. A service appears here as soon as it takes messages.');
  const rows = syncRows(byId('services').tBodies[0], services.map(its => its.address), makeServiceRow);
  rows.forEach((row, place) => {
    const its = services[place];
    COLUMNS.forEach(([figure, , value, format, alarming]) =>
      show(row.querySelector(`[data-figure=${figure}]`), value(its), format, alarming));
    show(row.querySelector('[data-figure=workers]'), its.workers, count);
    row.querySelector('.level > span').style.width = `${Math.min(100, 100 * its.busyWorkers / its.workers)}%`;
    row.querySelector('.badge').hidden = !its.paused;
    row.classList.toggle('chosen', its.address === state.chosen);
    row.querySelector('button').setAttribute('aria-current', String(its.address === state.chosen));
  });
}

// ---------------------------------------------------------------- the cluster

const duration = ms => !known(ms) ? NONE : ms === 0 ? '0 ms' : exactTime(ms);
const plain = value => value ?? NONE;
const bodyOf = id => byId(id).tBodies[0];

function row(head, ...cells) {
  return element('tr', {}, rowHead(...head), ...cells);
}

function badge(target, text, state) {
  target.className = 'badge';
  target.dataset.state = state;
  setText(target, text);
}

const figureOf = row => figure => row.querySelector(`[data-figure=${figure}]`);

/** Hidden where the node is for itself; what a node without groups has no use for, is hidden too. */
function renderCluster(cluster, groups) {
  const replicas = cluster?.groups ?? [];
  byId('cluster-section').hidden = !cluster?.clustered && groups.length === 0;
  renderNodes(cluster);
  renderShards(cluster?.shards ?? []);
  renderGroups(groups, new Map(replicas.map(its => [its.name, its])));
  renderPeers(replicas.flatMap(its => its.peers.map(peer => ({ ...peer, group: its.name, leads: peer.name === its.primary }))));
  renderRoles(replicas.flatMap(its => its.roleChanges.map(change => ({ ...change, group: its.name }))));
}

function makeNodeRow() {
  return row([element('span', { attributes: { 'data-figure': 'name' } }), ' ',
    element('span', { className: 'badge', textContent: 'this node', hidden: true, attributes: { 'data-state': 'ok', 'data-figure': 'self' } })],
  cell('address', 'Address', false), cell('state', 'State', false), cell('since', 'Seen since', false), cell('leftAt', 'Left at', false));
}

function renderNodes(cluster) {
  const nodes = cluster?.nodes ?? [];
  byId('nodes-part').hidden = !cluster?.clustered;
  byId('nodes').hidden = nodes.length === 0;
  syncRows(bodyOf('nodes'), nodes.map(its => its.id), makeNodeRow).forEach((row, place) => {
    const its = nodes[place];
    const at = figureOf(row);
    setText(at('name'), its.name ?? its.id);
    at('self').hidden = !its.thisNode;
    show(at('address'), its.address, plain);
    badge(at('state'), its.leftAt ? 'left' : 'there', its.leftAt ? 'bad' : 'ok');
    show(at('since'), its.since, moment);
    show(at('leftAt'), its.leftAt, moment);
  });
  const addresses = cluster?.addresses ?? [];
  const more = (cluster?.addressCount ?? 0) - addresses.length;
  byId('bus').hidden = addresses.length === 0;
  setText(byId('bus'), `This node serves on the event bus of the cluster: ${addresses.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}.`);
}

function makeShardsRow(address) {
  return row([address], cell('replicas', 'Replicas here'), cell('movesLeft', 'Left to move'), cell('stepsDone', 'Steps made'), cell('stepsFailed', 'Steps failed'));
}

function renderShards(services) {
  byId('shards-part').hidden = services.length === 0;
  syncRows(bodyOf('shards'), services.map(its => its.address), makeShardsRow).forEach((row, place) => {
    const at = figureOf(row);
    for (const figure of ['replicas', 'movesLeft', 'stepsDone', 'stepsFailed']) show(at(figure), services[place][figure], count);
  });
}

function makeGroupRow(name) {
  const made = row([name],
    cell('role', 'Role here', false), cell('primary', 'Primary', false), cell('epoch', 'Epoch'),
    cell('inSync', 'In sync'), cell('position', 'Position'), cell('lag', 'Lag'),
    cell('clients', 'Clients'), cell('replyBytes', 'Replies kept'), cell('snapshotAge', 'Last snapshot'), cell('accepting', 'Accepting', false));
  figureOf(made)('accepting').after(element('span', { className: 'reason' }));
  return made;
}

function renderGroups(groups, replicas) {
  byId('groups-part').hidden = groups.length === 0;
  syncRows(bodyOf('groups'), groups.map(its => its.name), makeGroupRow).forEach((row, place) => {
    const its = groups[place];
    const replica = replicas.get(its.name);
    const at = figureOf(row);
    show(at('role'), its.role?.toLowerCase(), plain);
    show(at('primary'), its.primary, plain);
    show(at('epoch'), its.epoch, count);
    show(at('inSync'), its.inSync, value => known(its.members) ? `${count(value)} / ${count(its.members)}` : count(value));
    show(at('position'), replica?.position, count);
    // The figure is of primaries; a backup knows what it has not.
    show(at('lag'), its.role === 'primary' || !replica ? its.lag : replica.behind, count);
    show(at('clients'), replica?.clients, count);
    show(at('replyBytes'), replica?.replyBytes, bytes);
    show(at('snapshotAge'), replica?.snapshotAgeMs, ms => known(ms) ? `${duration(ms)} ago` : NONE);
    show(at('accepting'), its.accepting, value => value ? 'yes' : 'no');
    setText(row.querySelector('.reason'), its.reason ? ` ${its.reason}` : '');
  });
}

function makePeerRow(key) {
  return row([key.split('\n')[0]], cell('group', 'Group', false), cell('state', 'State', false), cell('position', 'Position'),
    cell('behind', 'Behind'), cell('behindMs', 'Behind for'), cell('silentMs', 'Last heard'));
}

function peerState(peer) {
  if (!peer.connected) return [peer.inSync ? 'not connected, in sync' : 'not connected', 'bad'];
  if (peer.leads) return ['primary', 'ok'];
  if (peer.witness) return ['witness', 'ok'];
  return peer.inSync ? ['in sync', 'ok'] : ['not in sync', 'warn'];
}

function renderPeers(peers) {
  byId('peers-part').hidden = peers.length === 0;
  syncRows(bodyOf('peers'), peers.map(its => `${its.name}\n${its.group}`), makePeerRow).forEach((row, place) => {
    const its = peers[place];
    const at = figureOf(row);
    setText(at('group'), its.group);
    badge(at('state'), ...peerState(its));
    show(at('position'), its.position, count);
    show(at('behind'), its.behind, count);
    show(at('behindMs'), its.behindMs, duration);
    show(at('silentMs'), its.silentMs, ms => known(ms) ? `${duration(ms)} ago` : NONE);
  });
}

const ROLE_CHANGES = 20;

/** Made anew when there is another one: two changes may be alike. */
function renderRoles(changes) {
  const last = changes.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, ROLE_CHANGES);
  const text = JSON.stringify(last);
  byId('roles-part').hidden = last.length === 0;
  if (bodyOf('roles').dataset.shown === text) return;
  bodyOf('roles').dataset.shown = text;
  bodyOf('roles').replaceChildren(...last.map(its => {
    const made = row([moment(its.at)],
      cell('group', 'Group', false), cell('role', 'Role here', false), cell('epoch', 'Epoch'), cell('primary', 'Primary', false));
    made.setAttribute('role', 'row');
    const at = figureOf(made);
    setText(at('group'), its.group);
    setText(at('role'), its.role);
    show(at('epoch'), its.epoch, count);
    show(at('primary'), its.primary, plain);
    return made;
  }));
}

function makeFactoryRow(name) {
  return row([name], cell('documents', 'Documents'), cell('resident', 'In memory'), cell('paused', 'Paused'), cell('heapBytes', 'Heap'),
    cell('operationsPerSecond', 'Operations/s'), cell('failed', 'Failed'), cell('hitRate', 'Hit rate'),
    cell('queriesPerSecond', 'Queries/s'), cell('indexes', 'Indexes', false));
}

function renderDocuments(documents) {
  byId('documents-section').hidden = !documents;
  if (!documents) return;
  const { factories } = documents;
  syncRows(bodyOf('factories'), factories.map(its => its.name), makeFactoryRow).forEach((row, place) => {
    const its = factories[place];
    const at = figureOf(row);
    show(at('documents'), its.documents, count);
    show(at('resident'), its.resident, count);
    show(at('paused'), its.paused, count);
    show(at('heapBytes'), its.heapBytes, bytes);
    show(at('operationsPerSecond'), its.perSecond?.operations, rate);
    show(at('failed'), its.failed, count);
    show(at('hitRate'), its.hitRate, percent);
    show(at('queriesPerSecond'), its.perSecond?.queries, rate);
    setText(at('indexes'), its.indexes.length ? its.indexes.join(', ') : 'none');
  });
  setText(byId('documents-heap'), `In memory ${bytes(documents.residentBytes)} of ${bytes(documents.residentLimitBytes)}, `
    + `and ${bytes(documents.memoryBytes)} in factories that are in memory only; ${count(documents.streams)} streams of changes`
    + `${documents.writable ? '' : '; nothing can be written at the moment'}.`);
}

// ---------------------------------------------------------------- the chosen service

const charts = [];

function select(address) {
  state.chosen = address;
  history.replaceState(null, '', `#${encodeURIComponent(address)}`);
  render();
}

function makeFigures() {
  byId('figures').append(...FIGURES.map(([title, rows]) => element('div', {},
    element('h3', { textContent: title }),
    element('dl', {}, ...rows.map(([figure, label]) => element('div', {},
      element('dt', { textContent: label }),
      element('dd', { attributes: { 'data-figure': figure } })))))));
}

function renderDetail() {
  const its = service(state.chosen);
  byId('detail').hidden = !its;
  if (!its) return;
  setText(byId('detail-title'), its.address);
  byId('paused').hidden = !its.paused;
  setText(byId('pause'), its.paused ? 'Resume' : 'Pause');
  setText(byId('letters'), `Dead letters (${count(its.deadLetters)})`);
  FIGURES.forEach(([, rows], group) => rows.forEach(([, , value, format, alarming], row) =>
    show(byId('figures').children[group].querySelectorAll('dd')[row], value(its), format, alarming)));
  charts.forEach(chart => chart.update(its.address));
}

const ago = seconds => seconds === 0 ? 'now' : seconds % 60 === 0 && seconds < -KEPT_SECONDS ? `${-seconds / 60} min` : `${-seconds} s`;

/** The charts show so much from now on. */
function showSeconds(seconds) {
  state.shownSeconds = seconds;
  byId('minutes').setAttribute('aria-pressed', String(seconds === KEPT_SECONDS));
  byId('hour').setAttribute('aria-pressed', String(seconds === HOUR_SECONDS));
  if (state.snapshot) renderDetail();
}

/** A chart of some columns of the history, oldest at the left. */
class HistoryChart {
  constructor(canvas, series, unit, { stacked = false } = {}) {
    this.series = series;
    this.chart = new window.Chart(canvas, {
      type: 'line',
      data: { datasets: series.map(({ dashed }) => ({
        data: [], pointRadius: 0, pointHitRadius: 6, borderWidth: 1.75, borderDash: dashed ? [5, 3] : [],
        fill: stacked, stepped: false, tension: 0,
      })) },
      options: {
        animation: false, parsing: false, normalized: true, responsive: true, maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: { type: 'linear', min: -KEPT_SECONDS, max: 0, border: { display: false }, grid: { display: false },
            ticks: { stepSize: 30, maxRotation: 0, callback: ago } },
          y: { stacked, beginAtZero: true, suggestedMax: 1, border: { display: false },
            afterFit: scale => { scale.width = 60; },
            title: { display: true, text: unit },
            ticks: { maxTicksLimit: 5, callback: value => short.format(value) } },
        },
        plugins: {
          legend: { display: false },
          tooltip: { callbacks: {
            title: items => `${ago(Math.round(items[0].parsed.x))} ago`,
            label: item => ` ${series[item.datasetIndex].label}: ${digits.format(item.parsed.y)} ${unit}`,
          } },
        },
      },
    });
    this.paint();
  }

  /** Takes the colours from the style sheet, which knows of light and dark. */
  paint() {
    const ink = getComputedStyle(byId('host')).color;
    const line = getComputedStyle(document.querySelector('.panel')).borderTopColor;
    this.chart.data.datasets.forEach((dataset, place) => {
      const colour = getComputedStyle(document.querySelector(`.s-${this.series[place].name}`)).color;
      dataset.borderColor = colour;
      dataset.backgroundColor = colour.replace('rgb(', 'rgba(').replace(')', ', 0.16)');
    });
    const { x, y } = this.chart.options.scales;
    x.ticks.color = y.ticks.color = y.title.color = ink;
    y.grid = { color: line };
    this.chart.update('none');
  }

  update(address) {
    const { shownSeconds } = state;
    const points = (shownSeconds === HOUR_SECONDS ? state.hour : state.history).get(address) ?? [];
    const now = state.snapshot.atMs;
    const { x } = this.chart.options.scales;
    x.min = -shownSeconds;
    x.ticks.stepSize = shownSeconds / 4;
    this.series.forEach(({ name }, place) => {
      this.chart.data.datasets[place].data = points.map(point => ({ x: (point.atMs - now) / 1000, y: point[name] ?? NaN }));
    });
    this.chart.update('none');
  }
}

function makeCharts() {
  if (!window.Chart) return;
  window.Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  window.Chart.defaults.font.size = 11;
  const series = (name, label, dashed = false) => ({ name, label, dashed });
  charts.push(
    new HistoryChart(byId('chart-rates'), [series('accepted', 'accepted'), series('completed', 'completed'), series('failed', 'failed', true)], 'messages/s'),
    new HistoryChart(byId('chart-waiting'), [series('memory', 'in memory'), series('disk', 'on disk')], 'messages', { stacked: true }),
    new HistoryChart(byId('chart-latency'), [series('waited', 'waited', true), series('handled', 'handled')], 'ms'));
}

// ---------------------------------------------------------------- node and store

function renderNode(node) {
  const badge = byId('readiness');
  const reasons = node.reasons ?? [];
  badge.hidden = !known(node.ready);
  badge.dataset.state = node.ready ? 'ok' : 'bad';
  setText(badge, node.ready ? 'ready' : `not ready: ${reasons.join(', ')}`);
  setText(byId('host'), known(node.uptimeSeconds) ? `${location.host}, up ${span(node.uptimeSeconds)}` : location.host);
}

/** Figures side by side; the section is hidden without them. */
function renderPanel(name, figures, values) {
  byId(`${name}-section`).hidden = !values;
  if (!values) return;
  const target = byId(name);
  if (target.children.length === 0) {
    target.append(...figures.map(([figure, label]) => element('dl', {}, element('div', {},
      element('dt', { textContent: label }), element('dd', { attributes: { 'data-figure': figure } })))));
  }
  figures.forEach(([figure, , format, alarming], place) =>
    show(target.children[place].querySelector('dd'), values[figure], format, alarming));
}

function renderStore(store) {
  byId('store-section').hidden = !store;
  if (!store) return;
  const target = byId('store');
  if (target.children.length === 0) {
    [['usedBytes', 'Log files'], ['budgetBytes', 'Budgets together'], ['freeBytes', 'Free on disk'], ['minFreeBytes', 'Kept free'], ['fault', 'State']]
      .forEach(([figure, label]) => target.append(element('dl', {}, element('div', {},
        element('dt', { textContent: label }), element('dd', { attributes: { 'data-figure': figure } })))));
    target.prepend(element('meter', { id: 'store-meter', attributes: { 'aria-label': 'Disk used of its budget' } }));
    target.firstChild.style.gridColumn = '1 / -1';
  }
  const at = figure => target.querySelector(`[data-figure=${figure}]`);
  ['usedBytes', 'budgetBytes', 'freeBytes', 'minFreeBytes'].forEach(figure => show(at(figure), store[figure], bytes));
  at('fault').dataset.value = store.fault ?? '';
  setText(at('fault'), store.fault ?? 'writable');
  at('fault').classList.toggle('alarm', Boolean(store.fault));
  const meter = byId('store-meter');
  meter.hidden = !(store.budgetBytes > 0);
  meter.max = store.budgetBytes || 1;
  meter.high = meter.max * 0.8;
  meter.optimum = 0;
  meter.value = store.usedBytes ?? 0;
}

function render() {
  const { snapshot } = state;
  if (!snapshot) return;
  if (!service(state.chosen) && snapshot.services.length > 0) state.chosen = snapshot.services[0].address;
  renderNode(snapshot.node);
  renderPanel('gateway', GATEWAY, snapshot.gateway);
  renderPanel('process', PROCESS, snapshot.process);
  renderServices(snapshot);
  renderDetail();
  renderCluster(snapshot.cluster, snapshot.groups ?? []);
  renderDocuments(snapshot.documents);
  renderStore(snapshot.store);
}

// ---------------------------------------------------------------- the stream

/**
 * Events of the node; opened again by itself for ever, at longer intervals up to five seconds. Read
 * with fetch, because an EventSource cannot send the token that the figures may need.
 */
class Stream {
  static STALE_MS = 3000;
  static SILENT_MS = 8000;
  #abort = null;
  #openedMs = 0;
  #heardMs = performance.now();
  #waitMs = 500;
  #timer = 0;
  #locked = false;
  #wasStale = false;

  start() {
    this.#open();
    setInterval(() => this.#check(), 500);
  }

  /** Whether the figures need a token, or another. */
  isLocked() {
    return this.#locked;
  }

  /** Tries at once, with the token of now. */
  reopen() {
    this.#abort?.abort();
    clearTimeout(this.#timer);
    this.#open();
  }

  async #open() {
    const abort = new AbortController();
    this.#abort = abort;
    this.#openedMs = performance.now();
    try {
      const response = await fetch('dashboard/events', {
        headers: authorization(token()), cache: 'no-store', credentials: 'omit', signal: abort.signal,
      });
      this.#locked = response.status === 401 || response.status === 403;
      if (response.ok) await this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader());
    } catch {
      // Whatever it was: it is said that the figures are old, and tried again.
    }
    if (abort.signal.aborted) return;
    this.#check();
    this.#timer = setTimeout(() => this.#open(), this.#waitMs);
    this.#waitMs = Math.min(5000, this.#waitMs * 2);
  }

  async #read(reader) {
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (text + part.value).split('\n\n');
      text = events.pop();
      for (const event of events) {
        const lines = event.split('\n');
        const data = lines.find(line => line.startsWith('data: '));
        if (!data) continue;
        if (lines.includes('event: history')) recall(JSON.parse(data.slice(6)), state.history);
        else if (lines.includes('event: hour')) recall(JSON.parse(data.slice(6)), state.hour);
        else this.#take(JSON.parse(data.slice(6)));
      }
    }
  }

  #take(snapshot) {
    this.#heardMs = performance.now();
    this.#waitMs = 500;
    state.snapshot = snapshot;
    remember(snapshot);
    render();
    this.#check();
  }

  #check() {
    const silentMs = performance.now() - this.#heardMs;
    const stale = this.#locked || silentMs > Stream.STALE_MS;
    document.body.classList.toggle('stale', stale && state.snapshot !== null);
    const badge = byId('connection');
    badge.dataset.state = stale ? 'bad' : state.snapshot ? 'ok' : 'unknown';
    setText(badge, this.#locked ? 'locked' : stale ? 'stale' : state.snapshot ? 'live' : 'connecting');
    if (stale) setText(byId('stale'), this.#trouble());
    else if (this.#wasStale) say('Live again.');
    byId('stale').hidden = !stale;
    this.#wasStale = stale;
    // A connection may be dead without a sign of it.
    if (silentMs > Stream.SILENT_MS && performance.now() - this.#openedMs > Stream.SILENT_MS) this.reopen();
  }

  /** The same text for all of it: an alert that counts seconds would be read aloud every second. */
  #trouble() {
    if (this.#locked) return 'The figures of this node need a token: sign in.';
    return state.snapshot
      ? `No news since ${new Date(state.snapshot.atMs).toLocaleTimeString('en-GB')}; what you see is old. Connecting again.`
      : 'The node does not answer. Connecting again.';
  }
}

const stream = new Stream();

// ---------------------------------------------------------------- administration

function say(text) {
  byId('said').textContent = text;
}

function complain(text) {
  byId('failure').textContent = text;
  byId('failure').hidden = !text;
}

const TOKEN = 'weir-token';

/** Set while the token is one that may administer. */
const ADMIN = 'weir-admin';
const token = () => sessionStorage.getItem(TOKEN);
const authorization = token => token ? { Authorization: `Bearer ${token}` } : {};

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Asks the node; the token goes in a header only, and is forgotten when it is refused. */
async function ask(method, path, body, its = token()) {
  let response;
  try {
    response = await fetch(`admin${path}`, {
      method,
      headers: { ...authorization(its), ...(body ? { 'Content-Type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : undefined,
      cache: 'no-store',
      credentials: 'omit',
    });
  } catch {
    throw new Refused(0, 'The node does not answer.');
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  if (response.status === 401) {
    if (its === token()) setToken(null);
    throw new Refused(401, 'The token was refused.');
  }
  throw new Refused(response.status, answer.detail || answer.title || `The node answered ${response.status}.`);
}

/** Keeps the token in the tab; shows what may be done with it. */
function setToken(its, administers = false) {
  if (its) sessionStorage.setItem(TOKEN, its);
  else sessionStorage.removeItem(TOKEN);
  sessionStorage.setItem(ADMIN, its && administers ? 'yes' : '');
  setText(byId('sign'), its ? 'Sign out' : 'Sign in');
  byId('actions').hidden = byId('backup').hidden = byId('queues').hidden = !its || !administers;
}

/** Opens a dialog with a form; resolves to true once `submit` went well, false if it was closed. */
function form(dialog, submit) {
  return new Promise(resolve => {
    const error = dialog.querySelector('.error');
    const complainHere = text => {
      if (!error) return;
      error.textContent = text;
      error.hidden = !text;
    };
    let done = false;
    complainHere('');
    dialog.querySelector('form').onsubmit = async event => {
      event.preventDefault();
      complainHere('');
      try {
        await submit();
        done = true;
        dialog.close();
      } catch (failure) {
        complainHere(failure.message);
      }
    };
    dialog.onclose = () => resolve(done);
    dialog.showModal();
  });
}

async function mayLook(its) {
  const abort = new AbortController();
  try {
    const response = await fetch('dashboard/events', { headers: authorization(its), signal: abort.signal });
    return response.ok;
  } finally {
    abort.abort();
  }
}

async function signIn() {
  const input = byId('token');
  input.value = '';
  const done = await form(byId('sign-dialog'), async () => {
    const its = input.value.trim();
    let administers = true;
    try {
      await ask('GET', '/services', null, its);
    } catch (failure) {
      // It is of some use if it opens the figures.
      if (failure.status !== 403 || !stream.isLocked() || !await mayLook(its)) throw failure;
      administers = false;
    }
    setToken(its, administers);
    stream.reopen();
  });
  input.value = '';
  if (done) say('Signed in.');
  return done;
}

/** Does something that needs the token, and asks for the token before if there is none. */
async function act(work) {
  complain('');
  if (!token() && !await signIn()) return;
  try {
    await work();
  } catch (failure) {
    complain(failure.message);
  }
}

const at = (address, rest) => `/services/${encodeURIComponent(address)}${rest}`;

const pauseOrResume = () => act(async () => {
  const its = service(state.chosen);
  const what = its.paused ? 'resume' : 'pause';
  await ask('POST', at(its.address, `/${what}`));
  say(`${its.address} is ${its.paused ? 'resumed' : 'paused'}.`);
});

const changeWorkers = () => act(async () => {
  const its = service(state.chosen);
  const input = byId('workers-number');
  input.value = its.workers;
  const done = await form(byId('workers-dialog'), () =>
    ask('PUT', at(its.address, '/workers'), { workers: Number(input.value) }));
  if (done) say(`${its.address} has ${count(Number(input.value))} workers.`);
});

const releaseScheduled = () => act(async () => {
  const { address } = service(state.chosen);
  await confirm(`Release the scheduled messages of ${address}?`, 'Retries that wait for their time are handled at once.', 'Release', async () => {
    const { released } = await ask('POST', at(address, '/release'));
    say(`${messages(released)} released.`);
  });
});

const backUp = () => act(async () => {
  const input = byId('backup-name');
  input.value = `backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
  const done = await form(byId('backup-dialog'), () =>
    ask('POST', `/backup?name=${encodeURIComponent(input.value)}`));
  if (done) await followBackup();
});

/** Shows how far it has come, until it has ended. */
async function followBackup() {
  for (;;) {
    const its = await ask('GET', '/backup');
    const text = its.state === 'running'
      ? `Backup: ${bytes(its.doneBytes)} of ${bytes(its.totalBytes)}`
      : its.state === 'done' ? `Backup done: ${bytes(its.totalBytes)} in ${its.target}` : `Backup failed: ${its.failure}`;
    setText(byId('backup-state'), text);
    if (its.state !== 'running') return say(text);
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}

function confirm(title, text, yes, work) {
  byId('confirm-title').textContent = title;
  byId('confirm-text').textContent = text;
  byId('confirm-yes').textContent = yes;
  return form(byId('confirm-dialog'), work);
}

// ---------------------------------------------------------------- dead letters

const LISTED = 50;
const letters = { address: null, next: 0, count: 0, mark: '', filter: '' };
const messages = number => number === 1 ? '1 message' : `${count(number)} messages`;

const openLetters = () => act(async () => {
  letters.address = state.chosen;
  letters.filter = '';
  byId('letters-filter').reset();
  setText(byId('letters-title'), `Dead letters of ${letters.address}`);
  await reloadLetters();
  byId('letters-dialog').showModal();
});

async function reloadLetters() {
  byId('letters-list').replaceChildren();
  letters.next = 0;
  await loadLetters();
}

async function loadLetters() {
  const answer = await ask('GET', at(letters.address, `/dead-letters?from=${letters.next}&max=${LISTED}${letters.filter}`));
  byId('letters-list').append(...answer.letters.map(makeLetter));
  // Of the first page: what came while the operator turned pages has not been seen.
  if (letters.next === 0) letters.mark = answer.mark;
  letters.next = answer.next ?? 0;
  letters.count = answer.count;
  const shown = byId('letters-list').children.length;
  byId('letters-all').hidden = byId('letters-list').hidden = answer.count === 0;
  byId('letters-empty').hidden = answer.count > 0;
  byId('letters-filter').hidden = answer.count === 0;
  byId('letters-more').hidden = answer.next === null;
  setText(byId('requeue-all'), letters.filter ? 'Requeue those that fit' : 'Requeue all');
  byId('purge-all').hidden = Boolean(letters.filter);
  if (letters.filter) setText(byId('letters-count'), `${count(shown)} of ${messages(answer.count)} shown`);
  else setText(byId('letters-count'), shown < answer.count ? `${messages(answer.count)}, the oldest ${count(shown)} shown` : messages(answer.count));
}

const moment = text => text ? text.replace('T', ' ').replace(/\.\d+Z$|Z$/, ' UTC') : NONE;

function bodyText(body) {
  if (!body) return 'no body, or one that cannot be read';
  return (body.text ?? `base64: ${body.base64}`) + (body.cut ? ' …' : '');
}

function button(text, label, onclick, className = '') {
  return element('button', { type: 'button', className, textContent: text, attributes: { 'aria-label': label }, onclick });
}

/** A message with its reason, headers and body; the whole of a long body is at `path`. */
function makeMessage(message, title, muted, path, work, ...buttons) {
  const content = element('pre', { textContent: bodyText(message.body), tabIndex: 0 });
  const headers = message.headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  const item = element('li', {}, element('div', { className: 'bar' },
    element('strong', { textContent: title }),
    ...[message.id, ...muted].map(textContent => element('span', { className: 'muted', textContent })),
    element('span', { className: 'spring' }), ...buttons));
  if (message.reason) item.append(element('p', { className: 'error', textContent: message.reason }));
  if (headers) item.append(element('pre', { className: 'muted', textContent: headers, tabIndex: 0 }));
  item.append(content, element('div', { className: 'bar' },
    element('span', { className: 'unit', textContent: message.body ? `${message.body.type}, ${bytes(message.body.bytes)}` : '' })));
  if (message.body?.cut) {
    item.lastChild.append(element('button', { type: 'button', className: 'link', textContent: 'Show more of it',
      onclick: event => work(async () => {
        const whole = await ask('GET', path);
        content.textContent = bodyText(whole.body);
        event.target.remove();
        content.focus();
      }) }));
  }
  return item;
}

const makeLetter = letter => makeMessage(letter, `No. ${letter.number}`,
  [`${letter.deliveries} deliveries, last ${moment(letter.lastAttemptAt)}`],
  at(letters.address, `/dead-letters/${letter.number}`), inLetters,
  button('Requeue', `Requeue number ${letter.number}`, () => requeue(letter.number)),
  button('Move', `Move number ${letter.number}`, () => move(letter.number)),
  button('Purge', `Purge number ${letter.number}`, () => purge(letter.number), 'danger'));

const inLetters = work => inDialog(byId('letters-dialog'), work);

/** Failures are shown in the open dialog, which covers the page. */
async function inDialog(dialog, work) {
  const error = dialog.querySelector('.error');
  error.hidden = true;
  try {
    await work();
  } catch (failure) {
    if (failure.status === 401) {
      dialog.close();
      complain(failure.message);
      return;
    }
    error.textContent = failure.message;
    error.hidden = false;
  }
}

/** Does it, says how many it were, lists again, and keeps the focus inside. */
async function changeLetters(method, rest, done) {
  const answer = await ask(method, at(letters.address, `/dead-letters${rest}`));
  say(`${messages(answer.requeued ?? answer.moved ?? answer.purged)} ${done}.`);
  await reloadLetters();
  byId('letters-title').focus();
}

const requeue = number => inLetters(() => changeLetters('POST', `/${number}/requeue`, 'requeued'));

async function move(number) {
  setText(byId('move-title'), `Move number ${number}`);
  const to = byId('move-to');
  await form(byId('move-dialog'), () =>
    changeLetters('POST', `/${number}/move?to=${encodeURIComponent(to.value.trim())}`, 'moved'));
}

/** All of them, or those that fit the filter; at the rate if there is one. */
function requeueAll() {
  const rate = byId('letters-rate').value;
  const which = letters.filter ? 'the messages that fit' : messages(letters.count);
  return confirm(`Requeue ${which}?`,
    `${letters.filter ? 'Those' : messages(letters.count)} of ${letters.address} ${letters.count === 1 ? 'is' : 'are'} delivered again, in front of what waits${rate ? `, ${rate} a second` : ''}.`,
    `Requeue ${which}`,
    () => inLetters(rate || letters.filter ? () => requeueSome(rate) : () => changeLetters('POST', `/requeue?mark=${letters.mark}`, 'requeued')));
}

/** Some in each request, until there are no more; none that came later, such as one that has failed again. */
async function requeueSome(rate) {
  const { mark } = letters;
  let requeued = 0;
  for (let from = 0; from !== null;) {
    const answer = await ask('POST', at(letters.address,
      `/dead-letters/requeue?mark=${mark}&from=${from}${rate ? `&rate=${rate}` : ''}${letters.filter}`));
    requeued += answer.requeued;
    say(`${messages(requeued)} requeued.`);
    from = answer.next;
  }
  await reloadLetters();
  byId('letters-title').focus();
}

function filterLetters(event) {
  event.preventDefault();
  const part = (name, value) => value ? `&${name}=${encodeURIComponent(value)}` : '';
  const time = id => byId(id).value && new Date(byId(id).value).toISOString();
  letters.filter = part('reason', byId('letters-reason').value) + part('id', byId('letters-id').value.trim())
    + part('key', byId('letters-key').value.trim()) + part('after', time('letters-after')) + part('before', time('letters-before'));
  return inLetters(reloadLetters);
}

const purge = number => confirm(`Purge number ${number}?`,
  `1 message of ${letters.address} is deleted. This cannot be undone.`, 'Purge 1 message',
  () => inLetters(() => changeLetters('DELETE', `/${number}`, 'purged')));

const purgeAll = () => confirm(`Purge ${messages(letters.count)}?`,
  `${messages(letters.count)} of ${letters.address} ${letters.count === 1 ? 'is' : 'are'} deleted. This cannot be undone.`,
  `Purge ${messages(letters.count)}`,
  () => inLetters(() => changeLetters('DELETE', `?count=${letters.count}&mark=${letters.mark}`, 'purged')));

// ---------------------------------------------------------------- messages that wait on disk

const waiting = { address: null, next: 0 };

const openWaiting = () => act(async () => {
  waiting.address = state.chosen;
  byId('waiting-filter').reset();
  setText(byId('waiting-title'), `Waiting on disk for ${waiting.address}`);
  await reloadWaiting();
  byId('waiting-dialog').showModal();
});

async function reloadWaiting() {
  byId('waiting-list').replaceChildren();
  waiting.next = 0;
  await loadWaiting();
}

async function loadWaiting() {
  const id = byId('waiting-id').value.trim();
  const answer = await ask('GET', at(waiting.address,
    `/messages?from=${waiting.next}&max=${LISTED}${id ? `&id=${encodeURIComponent(id)}` : ''}`));
  byId('waiting-list').append(...answer.messages.map(makeWaiting));
  waiting.next = answer.next ?? 0;
  const shown = byId('waiting-list').children.length;
  byId('waiting-list').hidden = shown === 0;
  byId('waiting-empty').hidden = shown > 0;
  setText(byId('waiting-empty'), id ? 'No message of this id waits on disk.' : 'None: no message waits on disk.');
  byId('waiting-more').hidden = answer.next === null;
  setText(byId('waiting-count'), `${messages(answer.count)}, ${count(shown)} shown`);
}

const WAITS_FOR = { waiting: 'waits', blocked: 'waits for others of its key', scheduled: 'scheduled' };

function makeWaiting(message) {
  const muted = [`${WAITS_FOR[message.state]}${message.dueAt ? ` for ${moment(message.dueAt)}` : ''}, accepted ${moment(message.acceptedAt)}`];
  if (message.key) muted.push(`key ${message.key}`);
  if (message.deliveries) muted.push(`${message.deliveries} deliveries`);
  return makeMessage(message, `No. ${message.sequence}`, muted, at(waiting.address, `/messages/${message.sequence}`), inWaiting,
    button('Delete', `Delete number ${message.sequence}`, () => deleteWaiting(message.sequence), 'danger'));
}

const inWaiting = work => inDialog(byId('waiting-dialog'), work);

const deleteWaiting = sequence => confirm(`Delete number ${sequence}?`,
  `1 message of ${waiting.address} is deleted before it is handled. This cannot be undone.`, 'Delete 1 message',
  () => inWaiting(async () => {
    await ask('DELETE', at(waiting.address, `/messages/${sequence}`));
    say('1 message deleted.');
    await reloadWaiting();
    byId('waiting-title').focus();
  }));

// ---------------------------------------------------------------- queues without a service

const openQueues = () => act(async () => {
  await loadQueues();
  byId('queues-dialog').showModal();
});

async function loadQueues() {
  const { queues } = await ask('GET', '/queues');
  byId('queues-list').replaceChildren(...queues.map(makeQueue));
  byId('queues-empty').hidden = queues.length > 0;
}

function makeQueue(queue) {
  return element('li', {}, element('div', { className: 'bar' },
    element('strong', { textContent: queue.name }),
    element('span', { className: 'muted', textContent: `${count(queue.waiting)} waiting, ${count(queue.scheduled)} scheduled, ${count(queue.deadLetters)} dead, ${bytes(queue.bytes)}` }),
    element('span', { className: 'spring' }),
    element('button', { type: 'button', className: 'danger', textContent: 'Delete', attributes: { 'aria-label': `Delete queue ${queue.name}` }, onclick: () => deleteQueue(queue) })));
}

function deleteQueue(queue) {
  const held = queue.waiting + queue.scheduled + queue.deadLetters;
  return confirm(`Delete queue ${queue.name}?`, `${messages(held)} in it ${held === 1 ? 'is' : 'are'} deleted, dead letters included. This cannot be undone.`,
    `Delete ${messages(held)}`,
    () => inDialog(byId('queues-dialog'), async () => {
      await ask('DELETE', `/queues/${encodeURIComponent(queue.name)}?count=${held}&mark=${queue.mark}`);
      say(`Queue ${queue.name} deleted, with ${messages(held)}.`);
      await loadQueues();
      byId('queues-title').focus();
    }));
}

// ---------------------------------------------------------------- light and dark

const THEMES = ['auto', 'light', 'dark'];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem('weir-theme', theme);
  setText(byId('theme'), `Theme: ${theme}`);
  charts.forEach(chart => chart.paint());
}

function start() {
  makeFigures();
  makeCharts();
  setTheme(THEMES.includes(localStorage.getItem('weir-theme')) ? localStorage.getItem('weir-theme') : 'auto');
  setToken(token(), sessionStorage.getItem(ADMIN) === 'yes');
  setText(byId('host'), location.host);
  byId('theme').onclick = () => setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach(chart => chart.paint()));
  byId('sign').onclick = () => {
    if (!token()) return void signIn();
    setToken(null);
    stream.reopen();
    say('Signed out.');
  };
  byId('minutes').onclick = () => showSeconds(KEPT_SECONDS);
  byId('hour').onclick = () => showSeconds(HOUR_SECONDS);
  byId('pause').onclick = pauseOrResume;
  byId('workers').onclick = changeWorkers;
  byId('release').onclick = releaseScheduled;
  byId('backup').onclick = backUp;
  byId('queues').onclick = openQueues;
  byId('letters').onclick = openLetters;
  byId('waiting').onclick = openWaiting;
  byId('requeue-all').onclick = requeueAll;
  byId('purge-all').onclick = purgeAll;
  byId('letters-filter').onsubmit = filterLetters;
  byId('letters-more').onclick = () => inLetters(loadLetters);
  byId('waiting-more').onclick = () => inWaiting(loadWaiting);
  byId('waiting-filter').onsubmit = event => {
    event.preventDefault();
    return inWaiting(reloadWaiting);
  };
  document.querySelectorAll('[data-close]').forEach(button => {
    button.onclick = () => button.closest('dialog').close();
  });
  stream.start();
}

start();
