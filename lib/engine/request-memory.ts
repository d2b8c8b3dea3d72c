import type { ContentMessage } from '../core/history/thinking'
import { MEMORY_INSTRUCTIONS } from '../core/memory/recalled-context'
import type { Policy } from '../core/policy/policy'
import type { MessageForm } from './live-compaction'
import type { MemoryEvents } from './memory-events'
import type { Clock } from './ports'
import { type MemorySearch, type Recalled, recallFor } from './recall'
import type { TaskKeeper } from './task-keeper'
import type { WorkspaceSnapshot } from './workspace'

/** What an agent remembers with, besides its context. */
export type AgentRecall<M extends ContentMessage> = {
  /** Searched for each prompt when the policy's semantic history is on (G1). */
  readonly search?: MemorySearch | null
  /** Its tasks, whose sections enter the system prompt while one is active (K5). */
  readonly tasks?: Pick<TaskKeeper<M>, 'section'> | null
  /** Told what was recalled, and when the agent was asked to save its memory. */
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

/** Gathers what memory has for a request. Whatever fails, the request goes on without it and says so (G7). */
export async function requestMemory<M extends ContentMessage>(
  prompt: readonly M[],
  options: {
    readonly policy: Policy
    readonly window: number
    readonly sizeOf: (text: string) => number
    readonly form: Pick<MessageForm<M>, 'toSource'>
    readonly session: string
    readonly clock: Clock | null
    readonly mask: (text: string) => string
    readonly snapshot: WorkspaceSnapshot | null
    readonly recall: AgentRecall<M>
  },
): Promise<RequestMemory> {
  const { policy, window, sizeOf, form, snapshot, recall, mask } = options
  const warnings: string[] = []
  const tasks = await sectionOf(recall, warnings)
  const memory = hasMemory(snapshot) ? MEMORY_INSTRUCTIONS : ''
  const recalled = policy.semantic.enabled
    ? await recallFor(textOf(prompt, form), { policy, window, sizeOf, memory: recall.search ?? null })
    : null
  if (recalled !== null) {
    warnings.push(...recalled.warnings)
    await note(recalled, mask(textOf(prompt, form)), options, warnings)
  }
  const parts = { memory, tasks, recall: recalled?.text ?? '' }
  // What is not there leaves the agent's own parts alone.
  const own = Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ''))
  return { parts: own, recalled, warnings }
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
    warnings.push(`The tasks cannot be read: ${messageOf(error)}`)
    return ''
  }
}

/** Whether a workspace has a memory to look into (G9). */
function hasMemory(snapshot: WorkspaceSnapshot | null): boolean {
  if (snapshot === null) return false
  return (
    snapshot.memory !== '' ||
    snapshot.files.some(({ name, text }) => name === 'MEMORY.md' && text !== null && text.trim() !== '')
  )
}

async function note<M extends ContentMessage>(
  { placed, left, tokens, budget }: Recalled,
  prompt: string,
  {
    session,
    clock,
    mask,
    recall,
  }: Pick<Parameters<typeof requestMemory<M>>[1], 'session' | 'clock' | 'mask' | 'recall'>,
  warnings: string[],
): Promise<void> {
  if (recall.events === undefined || clock === null) return
  try {
    await recall.events.note({
      at: clock.now(),
      session,
      kind: 'recall',
      prompt: prompt.slice(0, SHOWN_PROMPT),
      placed: placed.map(({ source, score, cut, shown }) => ({
        source,
        score,
        cut,
        text: mask(shown).slice(0, SHOWN_PROMPT),
      })),
      left: left.length,
      tokens,
      budget,
    })
  } catch (error) {
    warnings.push(`The log of the memory cannot be written: ${messageOf(error)}`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
