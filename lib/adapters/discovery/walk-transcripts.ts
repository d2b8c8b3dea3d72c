import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { ENTRY_TYPES } from '../../core/transcript/entry'
import { isTranscriptName } from '../../core/transcript/formats/transcript-name'
import { isObject } from '../../core/transcript/json'
import type { SourceProblem } from '../../engine/read/source-problem'
import { AGENT_DATABASE, isFolderInside, listFolder } from '../stores/openclaw-layout'

/** Folders that hold no transcripts but many files. */
const SKIPPED = new Set(['node_modules', '.git'])
const MAX_DEPTH = 12

/** Called for what is found on the way and is not a transcript of this walk. */
export type WalkFinds = {
  /** A folder that is its own store. */
  readonly openClaw?: (folder: string) => void
  /** A `.jsonl` file of another program. */
  readonly foreign?: (file: string) => void
}

/**
 * All transcript files below a folder; the file itself when `root` is one. OpenClaw folders inside are passed over,
 * and so are `.jsonl` files whose first line shows that another program wrote them.
 */
export function walkTranscripts(
  root: string,
  problems: SourceProblem[],
  finds: WalkFinds = {},
): Generator<string> {
  return walkRoot({ root, problems, finds, opens: true })
}

/** The same by names alone: what other programs wrote is among them, and no file is opened. */
export function walkTranscriptNames(
  root: string,
  problems: SourceProblem[],
  openClaw: (folder: string) => void,
): Generator<string> {
  return walkRoot({ root, problems, finds: { openClaw }, opens: false })
}

type Walk = {
  readonly root: string
  readonly problems: SourceProblem[]
  readonly finds: WalkFinds
  /** Whether first lines are examined. */
  readonly opens: boolean
}

function* walkRoot(at: Walk): Generator<string> {
  if (statSync(at.root, { throwIfNoEntry: false })?.isDirectory() === false) yield at.root
  else yield* walk(at, at.root, 0, isPiFolder(path.basename(at.root)))
}

/** @param trusted below a folder of pi's: no need to look into the files. */
function* walk(at: Walk, folder: string, depth: number, trusted: boolean): Generator<string> {
  const entries = listFolder(folder, at.problems)
  if (isOpenClawFolder(folder, entries)) {
    at.finds.openClaw?.(folder)
    return
  }
  for (const entry of entries) {
    const target = folder + path.sep + entry.name
    if (!entry.isFile() && isFolderInside(at.root, target, entry, at.problems)) {
      if (depth < MAX_DEPTH && !SKIPPED.has(entry.name)) {
        yield* walk(at, target, depth + 1, trusted || isPiFolder(entry.name))
      }
    } else if (!entry.isDirectory() && isTranscriptName(entry.name)) {
      if (at.opens && !trusted && entry.isFile() && isForeign(target)) at.finds.foreign?.(target)
      else yield target
    }
  }
}

/** A state folder has a configuration or agents with sessions, a sessions folder an index, an agent a database. */
export function isOpenClawFolder(folder: string, entries: readonly Dirent[]): boolean {
  return entries.some(({ name }) => {
    if (name === 'agents') return holdsAgents(path.join(folder, name))
    return name === 'openclaw.json' || name === 'sessions.json' || name === AGENT_DATABASE
  })
}

function holdsAgents(agents: string): boolean {
  return listFolder(agents, []).some(
    ({ name }) =>
      existsSync(path.join(agents, name, 'sessions')) ||
      existsSync(path.join(agents, name, 'agent', AGENT_DATABASE)),
  )
}

/** pi names the folder of a working folder `--home-me-project--`; what is there is pi's. */
export function isPiFolder(name: string): boolean {
  return name.startsWith('--') && name.endsWith('--')
}

const FIRST_LINE = 4096
const OURS: ReadonlySet<string> = new Set(ENTRY_TYPES)

/**
 * Whether the first line is JSON that neither pi nor OpenClaw begins a transcript with. Rubbish is not foreign: it is
 * shown.
 */
function isForeign(file: string): boolean {
  const first = firstLine(file)
  if (!first.startsWith('{')) return false
  try {
    const value: unknown = JSON.parse(first)
    return !isObject(value) || typeof value.type !== 'string' || !OURS.has(value.type)
  } catch {
    const type = /"type"\s*:\s*"([^"]*)"/.exec(first)?.[1]
    return type !== undefined && !OURS.has(type)
  }
}

function firstLine(file: string): string {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    // Listed all the same: reading it says what is wrong.
    return ''
  }
  try {
    if (!fstatSync(fd).isFile()) return ''
    const buffer = Buffer.allocUnsafe(FIRST_LINE)
    const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, FIRST_LINE, 0)).replace(/^\uFEFF/, '')
    return text.split('\n', 1)[0] ?? ''
  } catch {
    return ''
  } finally {
    closeSync(fd)
  }
}
