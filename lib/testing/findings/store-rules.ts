import { systemProcesses } from '../../adapters/locks/process-table'
import type { Milliseconds } from '../../core/units/units'
import type { Chance } from './talk'

/** A file of a store that is made, below its folder. */
type PlantedFile = {
  readonly name: string
  readonly text: string
  /** How long ago it was written to last. */
  readonly age: Milliseconds
}

/** A store of files that is made so that something must be found in it as a whole, or must not. */
export type LabelledStore = {
  /** Its folder, as its runtime calls it. */
  readonly root: '.claude/projects' | 'openclaw'
  readonly files: readonly PlantedFile[]
  /** Plimsoll's own settings, as YAML. `{cold}` is the folder that holds `cold` of the files. */
  readonly settings?: string
}

/** How stores of one kind of finding are made. `alike` looks like it and is fine. */
export type StoreLabelRule = {
  readonly kind: string
  readonly planted: (chance: Chance) => LabelledStore
  readonly alike: (chance: Chance) => LabelledStore
}

const [DAY, HOUR, MINUTE]: readonly [Milliseconds, Milliseconds, Milliseconds] = [
  86_400_000, 3_600_000, 60_000,
]
const SESSIONS = 'agents/main/sessions'
/** No process has so high a number. */
const NO_PROCESS = 2 ** 30

const file = (name: string, age: Milliseconds, text = ''): PlantedFile => ({ name, age, text })

function transcript(name: string, age: Milliseconds): PlantedFile {
  return file(name, age, `{"type":"session","version":3,"id":"${name.split('/').at(-1)?.split('.')[0]}"}\n`)
}

function claudeSession(name: string, age: Milliseconds): PlantedFile {
  const said = { type: 'user', uuid: name, sessionId: name, message: { role: 'user', content: 'Go.' } }
  return file(`-w/${name}.jsonl`, age, `${JSON.stringify(said)}\n`)
}

/** A store of OpenClaw whose index names `live`, and what else lies in it. */
function openClaw(files: readonly PlantedFile[], maintenance: object = {}): LabelledStore {
  const index = { 'agent:main:main': { sessionId: 'live', updatedAt: Date.now() } }
  return {
    root: 'openclaw',
    files: [
      file('openclaw.json', 0, JSON.stringify({ session: { maintenance } })),
      file(`${SESSIONS}/sessions.json`, 0, JSON.stringify(index)),
      transcript(`${SESSIONS}/live.jsonl`, MINUTE),
      ...files,
    ],
  }
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

/** A process that lives and holds locks; by its start it is known to be the one that is meant. */
function living(): { readonly pid: number; readonly starttime?: number } {
  const starttime = systemProcesses.startTicks(process.ppid)
  return { pid: process.ppid, ...(starttime === null ? {} : { starttime }) }
}

/** The lock of the live session. `starttime`: of another process that had the number before. */
function lockOf(
  held: Milliseconds,
  owner: { readonly pid?: number; readonly starttime?: number },
): PlantedFile {
  const createdAt = new Date(Date.now() - held).toISOString()
  return file(`${SESSIONS}/live.jsonl.lock`, held, JSON.stringify({ ...owner, createdAt }))
}

const STALE_LOCK: StoreLabelRule = {
  kind: 'stale-lock',
  planted: (chance) => {
    const held = Math.round(chance.between(MINUTE, 20 * DAY))
    return openClaw([
      chance.one([
        lockOf(held, { pid: NO_PROCESS }),
        lockOf(held, { pid: process.ppid, starttime: 1 }),
        lockOf(held, {}),
        file(`${SESSIONS}/live.jsonl.lock`, held, chance.one(['', '{"pid":', 'locked'])),
        // Held for long by somebody who lives.
        lockOf(HOUR + held, living()),
      ]),
    ])
  },
  alike: (chance) => {
    const held = Math.round(chance.between(0, 55 * MINUTE))
    return openClaw([
      chance.one([
        lockOf(held, living()),
        // It is just being written.
        file(`${SESSIONS}/live.jsonl.lock`, 0, ''),
        // Beside no transcript.
        file(`${SESSIONS}/other.lock`, held * 100, JSON.stringify({ pid: NO_PROCESS })),
        file(`package-lock.json`, held * 100, '{}'),
        file(`${SESSIONS}/live.jsonl.lock/inside`, held * 100, ''),
      ]),
    ])
  },
}

const DELETED_SOON: StoreLabelRule = {
  kind: 'deleted-soon',
  planted: (chance) => {
    const left = chance.between(-10, 6.9)
    const young = claudeSession('young', DAY)
    const kept = chance.whole(15, 90)
    return chance.one<() => LabelledStore>([
      () => ({ root: '.claude/projects', files: [claudeSession('old', (30 - left) * DAY), young] }),
      () => ({
        root: '.claude/projects',
        files: [
          claudeSession('old', (kept - left) * DAY),
          young,
          file('../settings.json', 0, JSON.stringify({ cleanupPeriodDays: kept })),
        ],
      }),
      () => openClaw([transcript(`${SESSIONS}/lost.jsonl`, (30 - left) * DAY)], { mode: 'enforce' }),
      () => {
        const at = new Date(Date.now() - (30 - left) * DAY).toISOString().replaceAll(':', '-')
        return openClaw([transcript(`${SESSIONS}/gone.jsonl.deleted.${at}`, HOUR)], { mode: 'enforce' })
      },
    ])()
  },
  alike: (chance) => {
    const left = chance.between(7.2, 29)
    const old = claudeSession('old', (30 - left) * DAY)
    const ancient = claudeSession('ancient', chance.between(25, 400) * DAY)
    return chance.one<() => LabelledStore>([
      () => ({ root: '.claude/projects', files: [old] }),
      () => ({
        root: '.claude/projects',
        files: [ancient, file('../settings.json', 0, '{ "cleanupPeriodDays": 99999 }')],
      }),
      () => ({ root: '.claude/projects', files: [ancient], settings: 'archive: { enabled: true }\n' }),
      // The index names it, or OpenClaw only warns.
      () => openClaw([transcript(`${SESSIONS}/live.jsonl`, 60 * DAY)], { mode: 'enforce' }),
      () => openClaw([transcript(`${SESSIONS}/lost.jsonl`, 60 * DAY)], { mode: 'warn' }),
    ])()
  },
}

function withCold(chunks: number, age: Milliseconds, kept: number): LabelledStore {
  const cold = times(chunks, (i) => file(`../cold/busy/c${i}.jsonl`, age, `{"chunkId":"c${i}"}\n`))
  return { ...openClaw(cold), settings: `policy:\n  coldStorage: { path: '{cold}', days: ${kept} }\n` }
}

const ONLY_GROWS: StoreLabelRule = {
  kind: 'only-grows',
  planted: (chance) => {
    const kept = chance.whole(10, 60)
    return chance.one<() => LabelledStore>([
      () => withCold(chance.whole(50, 70), (kept + chance.between(0.5, 50)) * DAY, kept),
      () => openClaw(times(chance.whole(366, 380), (i) => file(`workspace/memory/${i}.md`, i * DAY))),
      () =>
        openClaw(
          times(chance.whole(20, 30), (i) =>
            transcript(`${SESSIONS}/lost${i}.jsonl`, chance.between(30.1, 90) * DAY),
          ),
          { mode: 'warn' },
        ),
    ])()
  },
  alike: (chance) => {
    const kept = chance.whole(10, 60)
    const lost = (count: number, age: Milliseconds) =>
      times(count, (i) => transcript(`${SESSIONS}/lost${i}.jsonl`, age))
    return chance.one<() => LabelledStore>([
      () => withCold(chance.whole(60, 90), chance.between(0, kept - 0.5) * DAY, kept),
      () => withCold(chance.whole(1, 49), (kept + 5) * DAY, kept),
      () => openClaw(times(chance.whole(300, 365), (i) => file(`workspace/memory/${i}.md`, i * DAY))),
      () => openClaw(times(400, (i) => file(`workspace/memory/${i}.txt`, i * DAY))),
      () => openClaw(lost(chance.whole(1, 19), 60 * DAY), { mode: 'warn' }),
      () => openClaw(lost(chance.whole(20, 30), 29 * DAY), { mode: 'warn' }),
      () => openClaw(lost(chance.whole(20, 30), 60 * DAY), { mode: 'enforce' }),
    ])()
  },
}

/** One for each detector of stores. */
export const STORE_LABEL_RULES: readonly StoreLabelRule[] = [STALE_LOCK, DELETED_SOON, ONLY_GROWS]
