import { assembleContext, type Placed, type Slot } from '../core/history/assemble'
import { resultsBehindCalls } from '../core/history/early-results'
import { type HistoryLimits, type LimitedHistory, limitHistory } from '../core/history/limit-history'
import { isUserTurn } from '../core/history/message'
import { familyOf } from '../core/history/message-craft'
import { joinParts } from '../core/history/message-parts'
import { isResult } from '../core/history/pairing'
import { orderForProvider, type ProviderFamily, providerFamily } from '../core/history/provider-order'
import { settlePairs } from '../core/history/settle-pairs'
import { type ContentMessage, withoutThinking } from '../core/history/thinking'
import { asUiMessages } from '../core/history/ui-parts'
import { append } from '../core/lists/long-lists'
import type { MessageForm } from '../core/summary/message-form'

/** What goes into a request, in parts. */
export type RequestParts<M> = {
  /** Of the conversation, whatever the system prompt says. */
  readonly instructions: readonly M[]
  readonly summary: readonly M[]
  readonly history: readonly M[]
  readonly prompt: readonly M[]
}

/**
 * The history that a request has room for, each result behind its call; what had to be moved for that is said. Results that the prompt brings belong to the turn that runs, so they are
 * limited together with the calls that they answer.
 */
export function requestHistory<M extends ContentMessage>(
  { summary, history, prompt }: RequestParts<M>,
  limits: Omit<HistoryLimits<M>, 'promptSeparate'> & { readonly sendThinking: boolean },
): LimitedHistory<M> & { readonly warnings: readonly string[] } {
  const asked = prompt.findIndex((part) => !isResult(part))
  const results = prompt.slice(0, asked < 0 ? prompt.length : asked)
  const { budget, tokensOf, sendThinking } = limits
  const own = new Set(prompt)
  const sent = sendThinking
    ? history
    : withoutThinking([...history, ...prompt]).filter((part) => !own.has(part))
  // Summary and prompt are charged to the history they belong to.
  const around = [...summary, ...prompt.slice(results.length)].reduce((sum, part) => sum + tokensOf(part), 0)
  const { messages, moved } = resultsBehindCalls([...sent, ...results])
  const warnings =
    moved === 0 ? [] : [`${moved} tool results came before their calls; the request has them behind.`]
  const limited = limitHistory(messages, {
    ...limits,
    budget: budget === null ? null : Math.max(0, budget - around),
    promptSeparate: prompt.some(isUserTurn),
  })
  const left = results.length === 0 ? limited.messages : limited.messages.filter((part) => !own.has(part))
  return { ...limited, messages: left, warnings }
}

/**
 * The messages of a request, whole again, in the one order: each result right behind its call, and where the form
 * is known, in the order that the provider accepts. What had to be left out or put in is said.
 * @param provider as `providerFamily` takes it; null: what the messages themselves show
 */
export function requestMessages<M extends ContentMessage>(
  parts: RequestParts<M>,
  form: Pick<MessageForm<M>, 'craft' | 'gapFor'>,
  provider: string | null,
): { readonly messages: readonly Placed<M>[]; readonly warnings: readonly string[] } {
  const { instructions, summary, history, prompt } = parts
  const placed = assembleContext({ summary, history, prompt })
  const settled = settlePairs(
    placed.map(({ message }) => message),
    (call, id) => form.gapFor?.(call, id) ?? null,
  )
  const slots = new Map<M, Slot>(placed.map(({ slot, message }) => [message, slot]))
  const joined = joinedBySlot(settled.messages, slots)
  const first = instructions.map((message): Placed<M> => ({ slot: 'system', message }))
  const ordered = [...first, ...inOrder(joined, form, provider)]
  const whole = asUiMessages(
    ordered.map(({ message }) => message),
    [],
  )
  return {
    messages: ordered.map((place, at) => ({ ...place, message: whole[at] ?? place.message })),
    warnings: [
      ...(settled.orphans.length === 0
        ? []
        : [`${settled.orphans.length} tool results were left out: their calls are not in the request.`]),
      ...(settled.gaps.length === 0
        ? []
        : [
            `${settled.gaps.length} tool calls have no result (${settled.gaps.slice(0, 3).join(', ')}); the request says so in its place.`,
          ]),
    ],
  }
}

function joinedBySlot<M extends ContentMessage>(
  parts: readonly M[],
  slots: ReadonlyMap<M, Slot>,
): Placed<M>[] {
  const joined: Placed<M>[] = []
  let run: M[] = []
  let slot: Slot = 'history'
  const close = () => {
    append(
      joined,
      joinParts(run).map((message) => ({ slot, message })),
    )
    run = []
  }
  for (const part of parts) {
    // What is in a gap goes with the call.
    const own: Slot = slots.get(part) ?? slot
    if (own !== slot) close()
    slot = own
    run.push(part)
  }
  close()
  return joined
}

/** A message that was made of several is in the slot of the last of them, so that the prompt is always found. */
function inOrder<M extends ContentMessage>(
  placed: readonly Placed<M>[],
  { craft }: Pick<MessageForm<M>, 'craft'>,
  provider: string | null,
): readonly Placed<M>[] {
  if (craft === undefined) return placed
  const messages = placed.map(({ message }) => message)
  const places = new Map<M, Placed<M>>(placed.map((one) => [one.message, one]))
  const placeOf = (message: M): Placed<M> => places.get(message) ?? { slot: 'history', message }
  const keep = (message: M, place: Omit<Placed<M>, 'message'>): M => {
    places.set(message, { ...place, message })
    return message
  }
  const family: ProviderFamily = provider === null ? familyOf(messages) : providerFamily(provider)
  const ordered = orderForProvider(messages, family, {
    ...craft,
    merge: (one, next) => {
      const [first, { slot }] = [placeOf(one), placeOf(next)]
      const before = [...(first.merged ?? []), ...(first.slot === slot ? [] : [first.slot])]
      return keep(craft.merge(one, next), before.length === 0 ? { slot } : { slot, merged: before })
    },
    opening: () => keep(craft.opening(), { slot: 'history' }),
    rename: (message, ids) => keep(craft.rename(message, ids), placeOf(message)),
  })
  return ordered.map(placeOf)
}
