import { join } from 'node:path'
import { type Bench, type Measurement, median } from '../report'
import { runNode } from '../run-process'
import { HISTORY_FORMS } from './history-forms'
import {
  agentLives,
  coldCopies,
  type FitTime,
  installedSize,
  keptPairs,
  linesToAdopt,
  timeWhenMuchIsDue,
  timeWhenNothingIsDue,
  understoodForms,
  type WarmTime,
  warmTime,
} from './measure-tool'
import { ownTool } from './own-tool'
import { type ContextTool, PEER_TOOLS } from './peer-tools'

const HISTORIES = 10_000
/** Of a tool of others: some take minutes for more. */
const HISTORIES_OF_OTHERS = 1_000
const MESSAGES = 5_000
const STARTS = 15
/** In each, ours is used for the first time; those of others in fewer. */
const PROCESSES = 15
const PROCESSES_OF_OTHERS = 5
/** Lives of an agent, each with its first compaction and one more. */
const LIVES = 3
const COMPACTIONS = 2

type Row = {
  readonly tool: ContextTool
  readonly forms: number
  readonly pairs: { readonly kept: number; readonly cut: number; readonly of: number }
  readonly megabytes: number | null
  readonly idle: FitTime
  readonly busy: FitTime
  readonly warm: { readonly idle: WarmTime; readonly busy: WarmTime }
}

async function rowOf(tool: ContextTool, histories: number, processes: number): Promise<Row> {
  const forms = await understoodForms(tool)
  // In the form where it is at home, and all others that it reads.
  const pairs = await keptPairs(tool, [...new Set([tool.form, ...forms])], histories)
  const idle = await timeWhenNothingIsDue(tool, processes)
  const busy = await timeWhenMuchIsDue(tool, processes)
  return {
    tool,
    forms: forms.length,
    pairs: { ...pairs, of: histories },
    megabytes: installedSize(tool),
    idle,
    busy,
    warm: { idle: await warmTime(tool, idle, 'nothing'), busy: await warmTime(tool, busy, 'much') },
  }
}

/** The rows as the package's README shows them. */
function markdown(
  rows: readonly Row[],
  cold: string,
  inLife: { readonly idle: string; readonly busy: string },
): string {
  const head = ['', 'lines', 'forms', 'pairs kept', 'cold copies', 'installed', 'nothing due', 'much due']
  const cells = rows.map(({ tool, forms, pairs, megabytes, idle, busy, warm }, i) => [
    tool.package === null ? tool.name : `${tool.name} ${tool.package.version}`,
    String(linesToAdopt(tool)),
    `${forms} of ${HISTORY_FORMS.length}`,
    `${pairs.kept} of ${pairs.of} (${pairs.cut} cut)`,
    i === 0 ? cold : 'none',
    megabytes === null ? '–' : `${megabytes.toFixed(1)} MB`,
    ...[
      { time: idle, again: warm.idle, life: inLife.idle },
      { time: busy, again: warm.busy, life: inLife.busy },
    ].map(({ time, again, life }) =>
      tool.package === null
        ? '–'
        : `${shownTime(again)}; first ${shownTime(time)}${i === 0 ? `; ${life}` : ''}${ofMessages(time)}`,
    ),
  ])
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...cells.map(line)].join('\n')
}

function shownTime({ ms, best, beside }: WarmTime): string {
  return `${ms.toFixed(1)} ms (best ${best.toFixed(1)}; ${(ms / beside).toFixed(1)} ×)`
}

/** A time over fewer messages than the others says so. */
function ofMessages({ messages }: FitTime): string {
  return messages === MESSAGES ? '' : `, for ${messages} messages`
}

/** What an import adds to the start of a process. Milliseconds. */
async function importTime(folder: string): Promise<{ readonly ms: number; readonly bare: number }> {
  const start = async (code: string) =>
    (await runNode(['--input-type=module', '-e', code], { cwd: folder })).ms
  const [bare, whole]: [number[], number[]] = [[], []]
  for (let run = 0; run < STARTS; run++) {
    bare.push(await start('0'))
    whole.push(await start("await import('plimsoll-agent')"))
  }
  return { ms: median(whole) - median(bare), bare: median(bare) }
}

/** The library as a package, beside what others offer. */
export const kitBench: Bench = {
  name: 'kit',
  title: 'The package of the library beside what others offer',
  async run({ folder, root, log }) {
    const own = await ownTool(root, folder)
    const rows: Row[] = []
    log(own.name)
    rows.push(await rowOf(own, HISTORIES, PROCESSES))
    log('an agent that runs')
    const lives = await agentLives(join(own.folder ?? '', 'plimsoll-agent'), LIVES, COMPACTIONS)
    for (const peer of Object.values(PEER_TOOLS)) {
      const tool = await peer()
      log(tool.name)
      rows.push(await rowOf(tool, HISTORIES_OF_OTHERS, PROCESSES_OF_OTHERS))
    }
    const { left, found } = await coldCopies(own)
    const [fresh, compacted] = [0, 1].map((at) => {
      const found = lives.flatMap(({ compactions }) => compactions[at] ?? [])
      return { due: found.map(({ ms }) => ms), idle: found.map(({ idle: fits }) => median(fits)) }
    })
    const shown = (values: readonly number[] = []) => `${median(values).toFixed(1)} ms`
    const inLife = {
      idle: `${shown(fresh?.idle)} while an agent runs, ${shown(compacted?.idle)} once it has compacted`,
      busy: `${shown(fresh?.due)} the first time while an agent runs, ${shown(compacted?.due)} the next`,
    }
    log(`\n${markdown(rows, `${found} of ${left} results that left`, inLife)}`)
    const started = await importTime(folder)
    const [first] = rows
    if (first === undefined) return []
    const time = (what: string, { ms, best, beside }: FitTime, limit: number): Measurement => ({
      ...{ what, value: ms, unit: 'ms', limit },
      note: `first time in a process, median of ${PROCESSES}; best ${best.toFixed(1)} ms; ${(ms / beside).toFixed(1)} × one JSON.stringify of the messages`,
    })
    const again = (what: string, { ms, best, beside }: WarmTime, limit: number): Measurement => ({
      ...{ what, value: ms, unit: 'ms', limit },
      note: `a context made anew each time, median; best ${best.toFixed(1)} ms; ${(ms / beside).toFixed(1)} × one JSON.stringify of the messages`,
    })
    const inProcesses = (what: string, values: readonly number[], limit: number | null): Measurement => ({
      ...{ what, value: median(values), unit: 'ms', limit },
      note: `median of ${values.length} processes; best ${Math.min(...values).toFixed(1)} ms`,
    })
    const idle = first.idle.uses.flatMap(({ own: used }) => used ?? [])
    const searches = first.busy.uses.flatMap(({ own: used }) => used?.search ?? [])
    const [atOnce, later] = [0, 1].map((odd) => searches.filter(({ pause }) => pause > 0 === (odd === 1)))
    return [
      { what: 'lines to adopt', value: linesToAdopt(own), unit: '', limit: 5 },
      {
        what: 'forms that are not understood',
        value: HISTORY_FORMS.length - first.forms,
        unit: '',
        limit: 0,
      },
      { what: 'random histories with a torn pair', value: HISTORIES - first.pairs.kept, unit: '', limit: 0 },
      { what: 'results that left without a cold copy', value: left - found, unit: '', limit: 0 },
      { what: 'installed, with all that it needs', value: first.megabytes ?? 0, unit: 'MB', limit: 12 },
      {
        ...{ what: 'import, beyond a bare start of Node', value: started.ms, unit: 'ms', limit: 120 },
        note: `${(started.ms / started.bare).toFixed(2)} × the bare start`,
      },
      inProcesses(
        'making a context',
        idle.map(({ open }) => open),
        null,
      ),
      again('fit over 5,000 messages, nothing due', first.warm.idle, 10),
      time('the same in a process that does it for the first time', first.idle, 10),
      inProcesses('the same while an agent runs, by 200 fits of each', fresh?.idle ?? [], 10),
      inProcesses('the same once it has compacted', compacted?.idle ?? [], 10),
      inProcesses(
        'the next fit, two messages later',
        idle.map(({ next }) => next),
        10,
      ),
      again('fit over 5,000 messages, much due', first.warm.busy, 60),
      time('the same in a process that does it for the first time', first.busy, 60),
      inProcesses('the same while an agent runs, the first time', fresh?.due ?? [], 60),
      inProcesses('the same while an agent runs, the next time', compacted?.due ?? [], 60),
      inProcesses(
        'first search, as soon as that fit has answered',
        (atOnce ?? []).map(({ first: ms }) => ms),
        60,
      ),
      inProcesses(
        'first search, a second later',
        (later ?? []).map(({ first: ms }) => ms),
        60,
      ),
      inProcesses(
        'next search',
        searches.map(({ second }) => second),
        60,
      ),
    ]
  },
}
