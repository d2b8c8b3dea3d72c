import { withValues } from './covered-text'

/** A file that is being edited: the text now, the text it began from, and the steps between. */
export type PolicyDraft = {
  readonly text: string
  /** As the file was when editing began; what a save compares the file with. */
  readonly baseText: string
  readonly baseHash: string
  /** Texts that undo and redo go to, nearest last. */
  readonly past: readonly string[]
  readonly future: readonly string[]
  /** Steps of one gesture (typing in one place, one drag) are one step for undo. */
  readonly gesture: string | null
}

const STEPS_KEPT = 200

export function beginDraft(base: { readonly text: string; readonly hash: string }): PolicyDraft {
  return { text: base.text, baseText: base.text, baseHash: base.hash, past: [], future: [], gesture: null }
}

/** @param gesture name of what the change belongs to; null makes it its own step */
export function changeDraft(draft: PolicyDraft, text: string, gesture: string | null = null): PolicyDraft {
  if (text === draft.text) return draft
  const continues = gesture !== null && gesture === draft.gesture
  const past = continues ? draft.past : [...draft.past, draft.text].slice(-STEPS_KEPT)
  return { ...draft, text, past, future: [], gesture }
}

export function undoDraft(draft: PolicyDraft): PolicyDraft {
  const text = draft.past.at(-1)
  if (text === undefined) return draft
  return {
    ...draft,
    text,
    past: draft.past.slice(0, -1),
    future: [...draft.future, draft.text],
    gesture: null,
  }
}

export function redoDraft(draft: PolicyDraft): PolicyDraft {
  const text = draft.future.at(-1)
  if (text === undefined) return draft
  return {
    ...draft,
    text,
    past: [...draft.past, draft.text],
    future: draft.future.slice(0, -1),
    gesture: null,
  }
}

/** Lets the draft begin from another version of the file; what was edited stays, as a step that can be undone. */
export function rebaseDraft(
  draft: PolicyDraft,
  base: { readonly text: string; readonly hash: string },
  text: string,
): PolicyDraft {
  return { ...changeDraft(draft, text), baseText: base.text, baseHash: base.hash }
}

/** The draft with values in the place of their stand-ins, in every one of its steps. */
export function revealDraft(draft: PolicyDraft, find: (name: string) => string | undefined): PolicyDraft {
  const reveal = (text: string) => withValues(text, find).text
  return {
    ...draft,
    text: reveal(draft.text),
    baseText: reveal(draft.baseText),
    past: draft.past.map(reveal),
    future: draft.future.map(reveal),
  }
}

export function isDirty(draft: PolicyDraft): boolean {
  return draft.text !== draft.baseText
}

/** What outlives a reload of the page. */
export type StoredDraft = Pick<PolicyDraft, 'text' | 'baseText' | 'baseHash'>

/** A draft from where it was stored; null when that is none. */
export function parseStoredDraft(json: string | null): StoredDraft | null {
  if (json === null) return null
  try {
    const { text, baseText, baseHash } = JSON.parse(json) as Partial<StoredDraft>
    if (typeof text !== 'string' || typeof baseText !== 'string' || typeof baseHash !== 'string') return null
    return { text, baseText, baseHash }
  } catch {
    return null
  }
}

export function resumeDraft(stored: StoredDraft): PolicyDraft {
  return {
    ...stored,
    past: stored.text === stored.baseText ? [] : [stored.baseText],
    future: [],
    gesture: null,
  }
}
