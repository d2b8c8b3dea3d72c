import 'server-only'
import { createHash } from 'node:crypto'
import { openWriter } from '../../compose/writer'
import type { Foreseen } from '../../core/findings/remedies/foreseen'
import { reasonOf } from '../../core/words/reason-of'
import { addForeseen } from '../../engine/findings/add-foreseen'
import { foreseeSetting } from '../../engine/findings/foresee-setting'
import type { SettingPlan } from '../../engine/findings/plan-remedy'
import type { RemedyPorts } from '../../engine/findings/remedy-ports'
import { foreseenLines } from '../../view/findings/foreseen-words'
import type { ForeseenAnswer } from '../../view/findings/remedy-answers'
import { labThreads } from '../lab/lab-threads'
import { inTurn } from '../process/in-turn'
import { oncePerProcess } from '../process/process-memory'
import { remember } from '../process/remember'
import { getSetup } from '../process/setup'
import { noteAddedToReceipts } from './applied-remedies'

/** So many of the newest sessions are replayed, one preview after the other, in one thread, for so long at most. */
const MOST_REPLAYED = 10
const MOST_MS = 120_000
/** Previews that are kept. */
const MOST_KEPT = 20
/** How long another owner of a file is waited for. Milliseconds. */
const WAIT_MS = 5_000

const begun = remember<string, Promise<Foreseen | null>>('foreseen', MOST_KEPT)

/** Those that are done, by what was shown. */
function ended(): Map<string, Foreseen> {
  return oncePerProcess('foreseen-ended', () => new Map<string, Foreseen>())
}

/** Receipts of changes that were written before their replay had ended, by what was shown. */
function waiting(): Map<string, string[]> {
  return oncePerProcess('foreseen-waiting', () => new Map<string, string[]>())
}

/** Equal: the same file with the same text, and the same change of it. */
export function seenOf({ file, hash, text }: SettingPlan): string {
  return createHash('sha256')
    .update(JSON.stringify([file, hash, text]))
    .digest('hex')
}

/** What a change that was shown would have meant; null: it is not worked out, or not yet. */
export function foreseenFor(seen: string): Foreseen | null {
  return ended().get(seen) ?? null
}

/** Has what was foreseen of a change added to its receipt when the replay of it ends, if one was begun. */
export function foreseenFollows(seen: string, receipt: string): void {
  const map = waiting()
  map.set(seen, [...(map.get(seen) ?? []), receipt])
  for (const oldest of map.keys()) {
    if (map.size <= MOST_KEPT) return
    map.delete(oldest)
  }
}

/** Replays a change over the newest sessions of its store, unless that was done for what is there now. */
export async function foreseenLater(ports: RemedyPorts, plan: SettingPlan): Promise<ForeseenAnswer> {
  const seen = seenOf(plan)
  const stamps = ports.listed.map(({ transcript }) => transcript.stamp.mtimeMs)
  const stamp = `${stamps.length} ${stamps.reduce((newest, at) => Math.max(newest, at), 0)}`
  try {
    const foreseen = await begun(seen, stamp, () => inTurn('foreseen', () => replay(ports, plan)))
    if (foreseen === null)
      return { kind: 'refused', problem: 'No session of this store has a call that could be replayed.' }
    keep(seen, foreseen)
    await addToReceipts(seen, foreseen)
    return { kind: 'foreseen', lines: foreseenLines(foreseen) }
  } catch (error) {
    return { kind: 'refused', problem: `It could not be replayed: ${reasonOf(error)}` }
  }
}

async function replay(ports: RemedyPorts, plan: SettingPlan): Promise<Foreseen | null> {
  const signal = AbortSignal.timeout(MOST_MS)
  const executor = await labThreads(1)
  const foreseen = await foreseeSetting({ ...ports, executor }, plan, MOST_REPLAYED, signal)
  if (signal.aborted)
    throw new Error(`it took longer than ${MOST_MS / 1_000} s; "plimsoll findings apply" has more time`)
  return foreseen
}

/** A receipt that cannot be written now stays as it is: it proves the change, and what was foreseen is on the page. */
async function addToReceipts(seen: string, foreseen: Foreseen): Promise<void> {
  const receipts = waiting().get(seen) ?? []
  waiting().delete(seen)
  if (receipts.length === 0) return
  const opened = await openWriter(getSetup())
  if (!opened.ok) return
  for (const receipt of receipts)
    if (await addForeseen(opened.writer, receipt, foreseen, { waitMs: WAIT_MS })) noteAddedToReceipts()
}

function keep(seen: string, foreseen: Foreseen): void {
  const map = ended()
  map.delete(seen)
  map.set(seen, foreseen)
  for (const oldest of map.keys()) {
    if (map.size <= MOST_KEPT) return
    map.delete(oldest)
  }
}
