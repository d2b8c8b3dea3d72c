import type { ContentMessage } from '../core/history/thinking'
import { MEMORY_INSTRUCTIONS, RECALL_PREFACE } from '../core/memory/recalled-context'
import type { Policy } from '../core/policy/policy'
import { maskSecrets } from '../core/redaction/secrets'
import type { MessageForm } from '../core/summary/message-form'
import type { Tokens } from '../core/units/units'
import { reasonOf } from '../core/words/reason-of'
import { type MemorySearch, type Recalled, recallFor } from '../engine/knowledge/recall'
import type { Clock } from '../engine/read/ports'
import type { WorkspaceSnapshot } from '../engine/workspace/workspace'
import type { MemoryEvents } from './memory-events'
import type { TaskKeeper } from './task-keeper'

/** What an agent remembers with, besides its context. */
export type AgentRecall<M extends ContentMessage> = {
  /** Searched for each prompt when the policy's semantic history is on. */
  readonly search?: MemorySearch | null
  /** Its tasks, whose sections enter the system prompt while one is active. */
  readonly tasks?: Pick<TaskKeeper<M>, 'section'> | null
  /** Called with what was recalled, and when the agent was asked to save its memory. */
  readonly events?: MemoryEvents
}

/** Parts of a system prompt that come from memory. */
export type RequestMemory = {
  readonly parts: { readonly memory?: string; readonly tasks?: string; readonly recall?: string }
  /** null while semantic history is off. */
  readonly recalled: Recalled | null
  readonly warnings: readonly string[]
}

/** Beginning of a prompt in the log of the memory. Characters. */
const SHOWN_PROMPT = 300

type RequestOptions<M extends ContentMessage> = {
  readonly policy: Policy
  readonly window: Tokens
  readonly sizeOf: (text: string) => number
  readonly form: Pick<MessageForm<M>, 'toSource'>
  readonly session: string
  readonly clock: Clock | null
  readonly mask: (text: string) => string
  readonly snapshot: WorkspaceSnapshot | null
  readonly recall: AgentRecall<M>
}

/** Gathers what memory has for a request. Whatever fails, the request goes on without it and says so. */
export async function requestMemory<M extends ContentMessage>(
  prompt: readonly M[],
  options: RequestOptions<M>,
): Promise<RequestMemory> {
  const { policy, form, snapshot, recall } = options
  const warnings: string[] = []
  const tasks = await sectionOf(recall, warnings)
  const memory = hasMemory(snapshot) ? MEMORY_INSTRUCTIONS : ''
  const recalled = policy.semantic.enabled
    ? await recallWith(memory === '' ? RECALL_PREFACE : '', textOf(prompt, form), options)
    : null
  if (recalled !== null) {
    warnings.push(...recalled.warnings)
    await note(recalled, textOf(prompt, form), options, warnings)
  }
  const parts = { memory, tasks, recall: recalled?.text ?? '' }
  // What is not there leaves the agent's own parts alone.
  const own = Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ''))
  return { parts: own, recalled, warnings }
}

/** @param preface is before what is recalled, within its budget */
async function recallWith<M extends ContentMessage>(
  preface: string,
  prompt: string,
  { policy, window, sizeOf, recall }: Pick<RequestOptions<M>, 'policy' | 'window' | 'sizeOf' | 'recall'>,
): Promise<Recalled> {
  const recalled = await recallFor(prompt, {
    policy,
    window,
    sizeOf: (text) => sizeOf(`${preface}${text}`),
    memory: recall.search ?? null,
  })
  return recalled.text === '' ? recalled : { ...recalled, text: `${preface}${recalled.text}` }
}

/** What the user says with this request; results of tools say nothing about what matters. */
function textOf<M extends ContentMessage>(
  prompt: readonly M[],
  { toSource }: Pick<MessageForm<M>, 'toSource'>,
): string {
  const sources = prompt.flatMap((message, i) => toSource(message, i) ?? [])
  return sources
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n')
}

async function sectionOf<M extends ContentMessage>(
  { tasks }: AgentRecall<M>,
  warnings: string[],
): Promise<string> {
  try {
    return (await tasks?.section()) ?? ''
  } catch (error) {
    warnings.push(`The tasks cannot be read: ${reasonOf(error)}`)
    return ''
  }
}

/** Whether a workspace has a memory to look into. */
function hasMemory(snapshot: WorkspaceSnapshot | null): boolean {
  if (snapshot === null) return false
  return (
    snapshot.memory !== '' ||
    snapshot.files.some(({ name, text }) => name === 'MEMORY.md' && text !== null && text.trim() !== '')
  )
}

/** The log holds no credential, whether or not the agent masks texts as well. */
async function note<M extends ContentMessage>(
  { placed, left, tokens, budget, problem }: Recalled,
  prompt: string,
  { session, clock, mask, recall }: Pick<RequestOptions<M>, 'session' | 'clock' | 'mask' | 'recall'>,
  warnings: string[],
): Promise<void> {
  // The steps of a turn say nothing, so that nothing was searched for.
  if (recall.events === undefined || clock === null || prompt.trim() === '') return
  const shown = (text: string) => maskSecrets(mask(text)).slice(0, SHOWN_PROMPT)
  try {
    await recall.events.note({
      at: clock.now(),
      session,
      kind: 'recall',
      prompt: shown(prompt),
      placed: placed.map((piece) => ({
        source: piece.source,
        score: piece.score,
        cut: piece.cut,
        text: shown(piece.shown),
      })),
      left: left.length,
      tokens,
      budget,
      ...(problem === null ? {} : { problem: shown(problem) }),
    })
  } catch (error) {
    warnings.push(`The log of the memory cannot be written: ${reasonOf(error)}`)
  }
}
