import { countMessage, countPart } from '../core/history/count-message'
import { withoutDetails } from '../core/history/details'
import type { TokensOf } from '../core/history/message'
import { joinParts } from '../core/history/message-parts'
import type { ContentMessage } from '../core/history/thinking'
import { maskSecrets } from '../core/redaction/secrets'
import { estimateUnits, type TextEstimator } from '../core/tokens/estimate'
import { reasonOf } from '../core/words/reason-of'
import { TimeLimit } from '../engine/jobs/time-limit'
import type { ContextLog } from '../engine/logs/log-ports'
import type { Clock } from '../engine/read/ports'
import type { WorkspaceSnapshot } from '../engine/workspace/workspace'
import type { LiveAgent } from './live-agent'
import type { ContextManagerOptions } from './manager-options'
import { isAmount, type PortProblems } from './port-problems'
import type { AgentRecall } from './request-memory'

const OWN_COUNT = 'Our own estimate counts in its place.'

/** A counter of texts that always answers a number of tokens. */
export function safeCount(count: TextEstimator | undefined, problems: PortProblems): TextEstimator {
  if (count === undefined) return estimateUnits
  return (text) => amountOf('countText', OWN_COUNT, () => count(text), problems) ?? estimateUnits(text)
}

/** Sizes messages, and the parts of them that the ladder works on (`splitMessages`). Tokens. */
export type MessageSizes<M> = {
  readonly ofMessage: TokensOf<M>
  readonly ofPart: TokensOf<M>
}

/** The same for messages. @param countText sizes messages that the agent's counter cannot */
export function safeSizes<M extends ContentMessage>(
  tokensOf: TokensOf<M> | undefined,
  countText: TextEstimator,
  problems: PortProblems,
): MessageSizes<M> {
  const counted = (message: M) => countMessage(message, countText)
  const sizeOf =
    tokensOf === undefined
      ? counted
      : (message: M) => amountOf('tokensOf', OWN_COUNT, () => tokensOf(message), problems) ?? counted(message)
  const ofMessage = (message: M) => sizeOf(withoutDetails(message))
  // An agent that sizes messages gets them whole.
  const ofPart =
    tokensOf === undefined
      ? (part: M) => countPart(part, countText)
      : (part: M) => joinParts([part]).reduce((tokens, message) => tokens + ofMessage(message), 0)
  return { ofMessage, ofPart }
}

/** null for what failed and for what is no amount. */
function amountOf(
  name: string,
  otherwise: string,
  work: () => number,
  problems: PortProblems,
): number | null {
  const amount = problems.call(name, otherwise, work)
  if (amount === undefined || isAmount(amount)) return amount ?? null
  problems.note(`${name} answered ${String(amount)}, which is no number of tokens. ${otherwise}`)
  return null
}

/**
 * The agent, whose callbacks never throw into a turn; each that fails is noted. What it is asked for is asked of itself,
 * so that an agent may be of a class with private fields.
 */
export function safeAgent<M>(
  agent: LiveAgent<M>,
  problems: PortProblems,
  limit: TimeLimit = new TimeLimit(),
): LiveAgent<M> {
  const forModels = limit.forModels()
  const limited = <T extends object>(name: string, port: T | null | undefined) =>
    port == null ? port : limit.port(name, port)
  const {
    getTokenCount,
    getMessages,
    onStep,
    onFlush,
    curate,
    diagnose,
    hooks,
    log,
    onPhase,
    plan,
    secrets,
  } = agent
  return {
    clock: safeClock(agent.clock, problems),
    getContext: () => agent.getContext(),
    setContext: (messages) => agent.setContext(messages),
    ...(getMessages && { getMessages: limit.call('getMessages', getMessages.bind(agent)) }),
    ...(curate && { curate: forModels.call('curate', curate.bind(agent)) }),
    ...(onFlush && { onFlush: forModels.call('onFlush', onFlush.bind(agent)) }),
    ...(getTokenCount && { getTokenCount: () => countOf(() => getTokenCount.call(agent), problems) }),
    ...(onStep && { onStep: (step) => problems.tell('onStep', () => onStep.call(agent, step)) }),
    ...(diagnose && {
      diagnose: (level, line) => problems.tell('diagnose', () => diagnose.call(agent, level, line)),
    }),
    ...(plan && { plan: safePlan(limit.call('plan', plan.bind(agent)), problems) }),
    ...(hooks && { hooks: forModels.port('hooks', hooks) }),
    ...(log && { log: safeLog(limit.port('log', log)) }),
    ...(secrets && { secrets: safeSecrets(secrets, problems) }),
    get session() {
      return agent.session
    },
    get form() {
      return agent.form
    },
    get chain() {
      return agent.chain
    },
    get memory() {
      return limited('memory', agent.memory) ?? undefined
    },
    get cold() {
      return limited('cold', agent.cold) ?? undefined
    },
    get embedding() {
      return agent.embedding
    },
    get sessions() {
      return limited('sessions', agent.sessions) ?? undefined
    },
    ...(onPhase && { onPhase: (phase) => problems.tell('onPhase', () => onPhase.call(agent, phase)) }),
    get dropsByRelevance() {
      return agent.dropsByRelevance
    },
  }
}

function safePlan(
  plan: NonNullable<LiveAgent<unknown>['plan']>,
  problems: PortProblems,
): NonNullable<LiveAgent<unknown>['plan']> {
  return async () => (await problems.wait('plan', 'The plan is not noted.', plan)) ?? null
}

/** null where the agent has no figure, or none that can be used. */
function countOf(work: () => number | null, problems: PortProblems): number | null {
  const count = problems.call('getTokenCount', OWN_COUNT, work) ?? null
  if (count === null || isAmount(count)) return count
  problems.note(`getTokenCount answered ${String(count)}, which is no number of tokens. ${OWN_COUNT}`)
  return null
}

function safeSecrets(
  secrets: NonNullable<LiveAgent<unknown>['secrets']>,
  problems: PortProblems,
): NonNullable<LiveAgent<unknown>['secrets']> {
  return {
    mask: (text) => {
      const masked = problems.call('secrets.mask', OWN_MASK, () => secrets.mask(text))
      return typeof masked === 'string' ? masked : maskSecrets(text)
    },
    // What cannot be judged may be one.
    isSecret: (text) => problems.call('secrets.isSecret', '', () => secrets.isSecret(text)) ?? true,
  }
}

const OWN_MASK = 'Our own rules cover credentials in its place.'

/** A clock that does not answer a time goes on from the last one that it gave. */
function safeClock(clock: Clock, problems: PortProblems): Clock {
  let last = 0
  return {
    now: () => {
      const now = problems.call('clock.now', 'The last time that it gave is taken.', () => clock.now())
      // The largest time that a date can have.
      if (typeof now === 'number' && Math.abs(now) <= 8.64e15) last = now
      else if (now !== undefined) problems.note(`clock.now answered ${String(now)}, which is no time.`)
      return last
    },
  }
}

/** A log answers what went wrong; one that throws does so as well. */
function safeLog(log: ContextLog): ContextLog {
  const answered = async (work: () => Promise<string | null>) => {
    try {
      const answer: unknown = await work()
      return typeof answer === 'string' ? answer : null
    } catch (error) {
      return `The log cannot be written: ${reasonOf(error)}`
    }
  }
  return {
    add: (kind, entry) => answered(() => log.add(kind, entry)),
    addAll: (kind, entries) => answered(() => log.addAll(kind, entries)),
  }
}

/** The workspace as it is now; null without one, and where it cannot be read, which is noted. */
export function safeSnapshot(
  cache: ContextManagerOptions<ContentMessage>['promptCache'],
  problems: PortProblems,
  limit: TimeLimit,
): () => Promise<WorkspaceSnapshot | null> {
  if (cache === null) return async () => null
  const otherwise = 'The workspace files are left out.'
  const files = limit.port('promptCache', cache)
  return async () => (await problems.wait('promptCache.snapshot', otherwise, () => files.snapshot())) ?? null
}

/** What an agent remembers with, whose answers have a limit. */
export function safeRecall<M extends ContentMessage>(
  recall: AgentRecall<M> | undefined,
  limit: TimeLimit,
): AgentRecall<M> {
  const { search, tasks, events } = recall ?? {}
  return {
    ...recall,
    ...(search && { search: limit.port('search', search) }),
    ...(tasks && { tasks: limit.port('tasks', tasks) }),
    ...(events && { events: limit.port('events', events) }),
  }
}
