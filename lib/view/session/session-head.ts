import { nextState } from '../../core/budget/next-call'
import type { SessionLoad } from '../../core/budget/session-load'
import { type Figure, measured } from '../../core/tokens/figure'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import { fileFlaws } from '../../core/transcript/file-flaws'
import type { SessionFacts } from '../../core/transcript/session-facts'
import type { IndexEntry, SystemPromptReport } from '../../core/transcript/session-index'
import type { Tokens } from '../../core/units/units'
import type { GoneNote } from '../archive/archive-view'
import type { SessionFindingsSummary } from '../findings/session-findings'
import { settingText } from '../policy/client-words'
import { contextFigure, loadBelief } from '../session-list/fill'
import { formatPercent } from '../text/format'
import { shownOrNull, shownText } from '../text/shown-text'
import type { AgentTree } from './agent-tree'
import { cutWindowWords } from './seen'
import type { SessionMarks } from './session-marks'
import { sessionPlace, sessionTitle } from './session-title'

/** Something that is wrong. `checked`: the Integrity page knows more about it. */
type Notice = { readonly text: string; readonly checked: boolean }

/** What the head of a session's pages says. Plain data. */
export type SessionHead = Omit<
  SessionFacts,
  | 'indexJson'
  | 'contextTokens'
  | 'contextBasis'
  | 'contextErrorPct'
  | 'window'
  | 'windowSource'
  | 'believedWindow'
  | 'believedSource'
  | 'provider'
  | 'model'
  | 'version'
  | 'unfinished'
> & {
  /** What is wrong with its store, its reading or its file, and what to do. */
  readonly notices: readonly Notice[]
  /** The best name there is, safe to print. */
  readonly title: string
  /** Agent and channel; '' when neither is known. */
  readonly place: string
  /** `provider/model` of the last call. */
  readonly model: string | null
  readonly window: {
    readonly tokens: Tokens
    readonly source: SessionLoad['windowSource']
    readonly reserve: number
    readonly budget: number
    /** Both windows by name, where the runtime believes in another one; null: it is the same. */
    readonly believed: string | null
    /** What says so: the runtime, with the file that names it. */
    readonly from: string
    /** Whose lines they are, with the file that moves them. */
    readonly runtime: string
    /** What is assumed of the runtime, and why. */
    readonly settings: readonly string[]
    readonly assumed: readonly string[]
  } | null
  /** What is in the window after the last entry. */
  readonly context: Figure
  /** The next call is larger than the window. */
  readonly willNotFit: boolean
  /** The runtime's own figure for it, where the runtime itself says that it is out of date; it is not used. Tokens. */
  readonly staleTotal: number | null
  /** Sizes of the fixed part as the runtime reported them. */
  readonly report: SystemPromptReport | null
}

/** Whose mirror a transcript is, and the page of the session itself where that is read. */
export type MirrorView = { readonly words: string; readonly owner: string; readonly href: string | null }

/** What every page of a session shows, and what is on its chart beside the frames. */
export type SessionSummary = {
  readonly head: SessionHead
  /** null: OpenClaw, or whatever runtime the store is of, runs the session itself. */
  readonly mirror: MirrorView | null
  /** null: its transcript is in its store. */
  readonly gone: GoneNote | null
  readonly marks: SessionMarks
  readonly findings: SessionFindingsSummary
  /** Ids of the sessions before and after it in the list, newest first; null at either end. */
  readonly newer: string | null
  readonly older: string | null
  /** Archives, backups and checkpoints of the session. */
  readonly copies: {
    /** Id of the transcript that this one is a copy of; null when it is the session itself. */
    readonly head: string | null
    readonly count: number
  }
  /** Its sub-agents and theirs; null: nothing works for it. */
  readonly agents: AgentTree | null
  /** The session that it works for as a sub-agent. */
  readonly worksFor: { readonly id: string; readonly title: string } | null
}

/** @param load what its policy makes of its window; null when unknown the window */
export function sessionHead(facts: SessionFacts, load: SessionLoad | null): SessionHead {
  const {
    indexJson,
    contextTokens,
    contextBasis,
    contextErrorPct,
    window: _window,
    windowSource: _source,
    believedWindow: _believed,
    believedSource: _believedSource,
    provider,
    model,
    version,
    unfinished,
    ...rest
  } = facts
  // Written by us from an index that was checked when it was read.
  const index: IndexEntry | null = indexJson === null ? null : JSON.parse(indexJson)
  const context = contextFigure({ contextTokens, contextBasis, contextErrorPct })
  return {
    ...rest,
    name: shownOrNull(facts.name),
    key: shownOrNull(facts.key),
    agent: shownOrNull(facts.agent),
    channel: shownOrNull(facts.channel),
    cwd: shownOrNull(facts.cwd),
    problem: shownOrNull(facts.problem),
    notices: noticesOf(facts, load),
    title: sessionTitle(facts),
    place: sessionPlace(facts),
    model: model === null ? null : shownText(provider === null ? model : `${provider}/${model}`),
    window:
      load === null
        ? null
        : {
            tokens: load.window,
            source: load.windowSource,
            reserve: load.reserve,
            budget: load.window - load.reserve,
            believed: loadBelief(load),
            from: load.reserveFrom,
            runtime: load.from,
            settings: load.settings.map(settingText),
            assumed: load.assumed,
          },
    context,
    willNotFit: load !== null && nextState(context, load.window, null) === 'will-not-fit',
    staleTotal: index?.totalTokensFresh === false ? (index.totalTokens ?? null) : null,
    report: index?.report ?? null,
  }
}

function noticesOf({ store, problem, ...facts }: SessionFacts, load: SessionLoad | null): readonly Notice[] {
  const lines: Notice[] = []
  if (store.state !== 'ok' && store.problem !== null) lines.push({ text: store.problem, checked: false })
  if (problem !== null) lines.push({ text: problem, checked: false })
  if (facts.windowSource === 'cut' && facts.window !== null)
    lines.push({
      text: cutWindowWords(facts.window, load === null ? null : loadBelief(load)),
      checked: false,
    })
  for (const { text } of fileFlaws(facts)) lines.push({ text, checked: true })
  return lines.map((line) => ({ ...line, text: shownText(line.text) }))
}

/** A size in the head of a session, with what it is of. */
export type SizeFact = {
  readonly name: string
  readonly figure: Figure
  /** `67 % of budget`; '' where it is of nothing known. */
  readonly words: string
}

/**
 * How large the context is. Where the provider cuts every prompt, what reaches the model and what the transcript would
 * need are two sizes, both held against what the provider takes.
 */
export function sizeFacts({ context, window }: Pick<SessionHead, 'context' | 'window'>): readonly SizeFact[] {
  const share = (of: Tokens) => (context.value === null ? null : formatPercent(context.value / of))
  const inWindow = (of: Tokens, base: string): readonly SizeFact[] => [
    {
      name: 'In the window now',
      figure: context,
      words: of > 0 && share(of) !== null ? `${share(of)} ${base}` : '',
    },
  ]
  if (window?.source !== 'cut') return inWindow(window?.budget ?? 0, 'of budget')
  const { tokens } = window
  if (tokens <= 0 || (context.value ?? 0) <= tokens) return inWindow(tokens, 'of what the provider takes')
  return [
    { name: 'Reaches the model', figure: measured(tokens), words: 'the provider cuts the rest' },
    { name: 'The transcript needs', figure: context, words: `${share(tokens)} of that` },
  ]
}

/** Where windows of the list of models come from. */
const LISTED_WINDOW = `as ${LIST_EDITION.name} of ${LIST_EDITION.date} lists this model`

export const WINDOW_SOURCE_WORDS: { readonly [S in SessionLoad['windowSource']]: string } = {
  policy: 'set in the policy',
  cap: 'capped by the policy',
  cut: 'the provider cuts prompts to this size',
  index: 'from the session index',
  catalogue: "from the runtime's model list",
  model: LISTED_WINDOW,
  client: 'what the client reckons with for this model',
  observed: 'a prompt of this size was accepted',
  default: 'assumed: no source states it',
}

/** Where a window figure comes from, in words. */
export function windowSourceWords(source: SessionLoad['windowSource']): string {
  return WINDOW_SOURCE_WORDS[source]
}
