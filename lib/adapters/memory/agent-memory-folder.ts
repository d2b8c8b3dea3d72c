import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Checkpoint } from '../../core/memory/checkpoint'
import type { StepCheckpoint } from '../../core/memory/step-checkpoint'
import { type AgentMemory, type AgentState, KEPT_CHECKPOINTS } from '../../engine/knowledge/agent-memory'
import { errorCode } from '../files/regular-file'
import { newestSessionFiles, replaceJson } from './session-file'

const count = z.number().int().min(0)
const texts = z.array(z.string())

const stateSchema = z.object({
  flush: z.object({ prompted: z.number(), actioned: z.boolean() }),
  checkpoint: z.object({ crossed: z.array(z.number()), turns: count, tokens: z.number() }),
  turns: count,
  compactions: count,
  waited: z.boolean(),
  rolling: z.object({ text: z.string(), tokens: z.number(), covered: count, key: z.string() }).nullable(),
  compacted: z.object({ count, key: z.string() }).nullable(),
})

const checkpointSchema = z.object({
  id: z.string(),
  session: z.string(),
  at: z.number(),
  uptoEntryId: z.string(),
  uptoSeq: z.number().int(),
  covered: z.number(),
  tokens: z.number(),
  body: z.object({ summary: z.string(), topics: texts, decisions: texts, questions: texts }),
})

const stepCheckpointSchema = z.object({
  session: z.string(),
  at: z.number(),
  plan: z.object({
    goal: z.string().nullable(),
    steps: z.array(z.object({ title: z.string(), state: z.enum(['open', 'active', 'done', 'dropped']) })),
  }),
  closed: z.boolean(),
})

const fileSchema = z.object({
  session: z.string(),
  state: stateSchema.nullable(),
  checkpoints: z.array(checkpointSchema),
  /** Left out where no plan was ever noted. */
  steps: z.array(stepCheckpointSchema).default([]),
})

export type Remembered = {
  readonly session: string
  readonly state: AgentState | null
  readonly checkpoints: readonly Checkpoint[]
  readonly steps: readonly StepCheckpoint[]
}

/**
 * What is remembered of live conversations, one JSON file for each in a folder that only its owner can read. A file
 * that cannot be used is an error that names it: what is in it is not thrown away.
 *
 * @example
 * ```ts
 * import { agentMemoryFolder } from 'plimsoll-agent'
 *
 * const memory = agentMemoryFolder('memory/context')
 * ```
 */
export function agentMemoryFolder(folder: string): AgentMemory {
  const tails = new Map<string, Promise<unknown>>()
  // Session keys hold signs that file systems do not take.
  const pathOf = (session: string) =>
    join(folder, `${createHash('sha256').update(session).digest('hex').slice(0, 32)}.json`)

  const change = (session: string, next: (known: Remembered) => Remembered): Promise<void> => {
    const path = pathOf(session)
    const work = (tails.get(path) ?? Promise.resolve()).then(async () => {
      await replaceJson(folder, path, next(await readRemembered(path, session)))
    })
    const tail = work.catch(() => undefined)
    tails.set(path, tail)
    return work
  }

  return {
    load: async (session) => (await readRemembered(pathOf(session), session)).state,
    save: (session, state) => change(session, (known) => ({ ...known, state })),
    checkpoints: async (session) => (await readRemembered(pathOf(session), session)).checkpoints,
    addCheckpoint: (checkpoint) =>
      change(checkpoint.session, (known) => ({
        ...known,
        checkpoints: [...known.checkpoints, checkpoint].slice(-KEPT_CHECKPOINTS),
      })),
    stepCheckpoints: async (session) => (await readRemembered(pathOf(session), session)).steps,
    addStepCheckpoint: (checkpoint) =>
      change(checkpoint.session, (known) => ({
        ...known,
        steps: [...known.steps, checkpoint].slice(-KEPT_CHECKPOINTS),
      })),
  }
}

/**
 * What is remembered of conversations in a folder, those written last first; files that cannot be used are reported.
 */
export async function listRemembered(
  folder: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{
  readonly sessions: readonly Remembered[]
  readonly problems: readonly string[]
  /** Conversations, those that were not read included. */
  readonly total: number
}> {
  const sessions: Remembered[] = []
  const problems: string[] = []
  const { paths, total } = await newestSessionFiles(folder, most)
  for (const path of paths) {
    const read = fileSchema.safeParse(parsed(await readFile(path, 'utf8')))
    if (read.success) sessions.push(read.data)
    else problems.push(`${path} holds nothing that is remembered: ${read.error.issues[0]?.message ?? ''}`)
  }
  return { sessions, problems, total }
}

async function readRemembered(path: string, session: string): Promise<Remembered> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { session, state: null, checkpoints: [], steps: [] }
    throw error
  }
  const read = fileSchema.safeParse(parsed(text))
  if (read.success) return read.data
  throw new Error(
    `${path} does not hold what is remembered of ${session}; move it away to begin anew: ${read.error.issues[0]?.message ?? ''}`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
