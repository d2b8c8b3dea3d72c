import type { SessionLoad } from '../core/budget/session-load'
import type { Figure } from '../core/tokens/figure'
import { fileFlaws } from '../core/transcript/file-flaws'
import type { SessionFacts } from '../core/transcript/session-facts'
import type { IndexEntry, SystemPromptReport } from '../core/transcript/session-index'
import { contextFigure } from './fill'
import type { SessionMarks } from './session-marks'
import { sessionPlace, sessionTitle } from './session-title'
import { visibleLine } from './visible-text'

/** Something that is wrong. `checked`: the Integrity page knows more about it. */
export type Notice = { readonly text: string; readonly checked: boolean }

/** What the head of a session's pages says. Plain data. */
export type SessionHead = Omit<
  SessionFacts,
  | 'indexJson'
  | 'contextTokens'
  | 'contextBasis'
  | 'contextErrorPct'
  | 'window'
  | 'windowSource'
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
    readonly tokens: number
    readonly source: SessionLoad['windowSource']
    readonly reserve: number
    readonly budget: number
    /** What says so where it is not the default policy: a file, an override, a preset. */
    readonly from: string | null
  } | null
  /** What is in the window after the last entry. */
  readonly context: Figure
  /** Sizes of the fixed part as the runtime reported them. */
  readonly report: SystemPromptReport | null
}

/** What every page of a session shows, and what stands on its chart beside the frames. */
export type SessionSummary = {
  readonly head: SessionHead
  readonly marks: SessionMarks
  /** Ids of the sessions before and after it in the list, newest first; null at either end. */
  readonly newer: string | null
  readonly older: string | null
}

/** @param load what its policy makes of its window; null when nobody knows the window */
export function sessionHead(facts: SessionFacts, load: SessionLoad | null): SessionHead {
  const {
    indexJson,
    contextTokens,
    contextBasis,
    contextErrorPct,
    window: _window,
    windowSource: _source,
    provider,
    model,
    version,
    unfinished,
    ...rest
  } = facts
  return {
    ...rest,
    notices: noticesOf(facts),
    title: sessionTitle(facts),
    place: sessionPlace(facts),
    model: model === null ? null : provider === null ? model : `${provider}/${model}`,
    window:
      load === null
        ? null
        : {
            tokens: load.window,
            source: load.windowSource,
            reserve: load.reserve,
            budget: load.window - load.reserve,
            from: load.reserveFrom,
          },
    context: contextFigure({ contextTokens, contextBasis, contextErrorPct }),
    report: reportOf(indexJson),
  }
}

function noticesOf({ store, problem, ...facts }: SessionFacts): readonly Notice[] {
  const lines: Notice[] = []
  if (store.state !== 'ok' && store.problem !== null) lines.push({ text: store.problem, checked: false })
  if (problem !== null) lines.push({ text: problem, checked: false })
  for (const { text } of fileFlaws(facts)) lines.push({ text, checked: true })
  return lines.map((line) => ({ ...line, text: visibleLine(line.text) }))
}

function reportOf(indexJson: string | null): SystemPromptReport | null {
  if (indexJson === null) return null
  const index: IndexEntry = JSON.parse(indexJson)
  return index.report ?? null
}

const SOURCE_WORDS: { readonly [S in SessionLoad['windowSource']]: string } = {
  policy: 'the policy names it',
  cap: 'capped by the policy',
  index: 'from the session index',
  catalogue: "from the runtime's model list",
  model: 'known for this model',
  observed: 'a prompt of this size was accepted',
  default: 'assumed: nothing names it',
}

/** Where a window figure comes from, in words. */
export function windowSourceWords(source: SessionLoad['windowSource']): string {
  return SOURCE_WORDS[source]
}
