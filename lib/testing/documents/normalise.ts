import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { version } from '../../../package.json'

/** What differs from run to run and from machine to machine; everything else in a document is kept as it is. */
export type Variable = {
  /** Folders by their placeholders, e.g. `{ '<home>': '/tmp/x' }`; the longest path wins. */
  readonly folders: Readonly<Record<string, string>>
  /** Milliseconds since the epoch by the machine's clock: later times are the run's, and become `<time>`. */
  readonly began: number
  /** UUIDs, ids of eight digits and ids of facts are made by chance here, and no part of the store. */
  readonly chance?: boolean
}

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
const ISO_TIME = /\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d(?:[:-]\d\d(?:\.\d{3})?)?Z?/g
const RECEIPT = /(?<![\w-])\d{8}T\d{9}-[0-9a-f]{12}(?![\w-])/g
const SHA256 = /(?<![\w-])[0-9a-f]{64}(?![\w-])/g
/** Ids of stores and transcripts are hashes of paths; the end of a UUID is none. */
const PATH_HASH = /(?<!\w|[0-9a-f]{4}-)(?:[0-9a-f]{12}|[0-9a-f]{16})(?![\w-])/g
/** Ids of findings: the kind, and a hash of what it is about, the path of the transcript among it. */
const FINDING_ID = /(?<=^|[=#])([a-z]+(?:-[a-z]+)+)\.[0-9a-z]{5,13}$/
const CHANCE =
  /(?<![\w-])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?:[0-9a-z]{8})?[0-9a-f]{8})(?![\w-])/g
/** Characters of a text that documents keep. */
const LONGEST = 160
/** How long something took, how an import was divided into transactions, and what a file is to this machine. */
const OF_MACHINE = new Set([
  'ms',
  'durationMs',
  'revision',
  'rowsWritten',
  'dev',
  'ino',
  'mtimeNs',
  'uid',
  'gid',
])

/**
 * A document with named placeholders for what no two runs have in common: folders, hashes of paths and of written files,
 * receipts, times of the run, versions. The same value gets the same placeholder; keys and figures stay.
 */
export function normalise(document: unknown, { folders, began, chance = false }: Variable): unknown {
  const numbers = new Map<string, string>()
  const counts = new Map<string, number>()
  const places = Object.entries({ ...folders, '<project>': PROJECT }).sort(
    ([, a], [, b]) => b.length - a.length,
  )
  const ended = realNow()

  const isOfRun = (ms: number) => ms >= began && ms <= ended + 1_000
  const numbered = (name: string) => (value: string) => {
    const known = numbers.get(value)
    if (known !== undefined) return known
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    numbers.set(value, `<${name} ${count}>`)
    return `<${name} ${count}>`
  }
  const text = (value: string) => {
    let changed = value
    for (const [name, path] of places) changed = changed.replaceAll(path, name)
    changed = changed
      .replace(RECEIPT, numbered('receipt'))
      .replace(SHA256, numbered('sha256'))
      .replace(PATH_HASH, numbered('hash'))
      .replace(FINDING_ID, (id, kind) => `${kind}.${numbered('hash')(id)}`)
      .replace(ISO_TIME, (time) => (isOfRun(timeOf(time)) ? '<time>' : time))
    if (chance) changed = changed.replace(CHANCE, numbered('id'))
    changed = changed
      .replaceAll(process.version, '<node>')
      .replaceAll(`${process.platform} ${process.arch}`, '<system>')
    return changed.length <= LONGEST ? changed : shortened(changed)
  }
  const walk = (value: unknown, key: string, within = ''): unknown => {
    // How much of the database is in its file, and how much still in its log, follows no rule that a run could repeat.
    if (within === 'database' && key === 'bytes' && typeof value === 'number') return '<bytes>'
    if (OF_MACHINE.has(key) && (typeof value === 'number' || typeof value === 'string')) return `<${key}>`
    if (typeof value === 'number') return isOfRun(value) ? '<time>' : value
    if (typeof value === 'string') return key === 'plimsoll' && value === version ? '<version>' : text(value)
    if (Array.isArray(value)) return value.map((item) => walk(item, key))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [text(name), walk(item, name, key)]),
    )
  }
  return walk(document, '')
}

/** The beginning of a text, and what shows a change of the rest. */
function shortened(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `${text.slice(0, LONGEST / 2)}… <${text.length} characters, ${hash}>`
}

/** Milliseconds since the epoch by the machine's clock, also where a test has set another time. */
export function realNow(): number {
  return performance.timeOrigin + performance.now()
}

/** Of a time with any separators; without seconds, the end of its minute. */
function timeOf(text: string): number {
  const [, day, hour, minute, second = '59.999'] =
    /^(.{10})[T ](\d\d)[:-](\d\d)(?:[:-](\d\d(?:\.\d{3})?))?/.exec(text) ?? []
  return Date.parse(`${day}T${hour}:${minute}:${second.length === 2 ? `${second}.999` : second}Z`)
}
