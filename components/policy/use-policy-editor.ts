'use client'

import { useDeferredValue, useState } from 'react'
import type { Policy } from '@/lib/core/policy/policy'
import type { ResolvedPolicy } from '@/lib/core/policy/resolve'
import {
  changeDraft,
  isDirty,
  type PolicyDraft,
  rebaseDraft,
  redoDraft,
  revealDraft,
  undoDraft,
} from '@/lib/view/policy/policy-draft'
import { type Edited, editPreset, editText, type PolicyChanges } from '@/lib/view/policy/policy-edit'
import {
  type PolicyDocumentView,
  type PolicyProblem,
  type PolicyReading,
  readPolicyDraft,
  resolveDraft,
} from '@/lib/view/policy/policy-reading'
import { withChanges } from '@/lib/view/policy/policy-values'
import { useDrafts } from './use-drafts'

export type PolicyEditor = {
  readonly document: PolicyDocumentView
  readonly draft: PolicyDraft
  readonly dirty: boolean
  /** The text on screen: the draft, with what is being dragged. */
  readonly text: string
  readonly reading: PolicyReading
  readonly resolved: ResolvedPolicy
  readonly problems: readonly PolicyProblem[]
  /** As it is saved. */
  readonly saved: ResolvedPolicy
  /** The policy at this very moment of a drag; the text follows it. */
  readonly policy: Policy
  /** The policy without what is being dragged: what a change is a change of. */
  readonly settled: Policy
  /** Why the last change was not taken; null when it was. */
  readonly refusal: string | null
  /** Shows values without changing the file yet; null ends it. */
  readonly preview: (changes: PolicyChanges | null) => void
  readonly change: (changes: PolicyChanges, gesture?: string) => void
  /** Goes on with a text that was made elsewhere, or says why there is none. */
  readonly take: (edited: Edited) => void
  readonly choosePreset: (preset: string | null) => void
  readonly write: (text: string, gesture?: string) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly discard: () => void
  /** The file was saved: what was edited is what is there. */
  readonly forget: (path: string) => void
  /** Puts values in the place of their stand-ins. */
  readonly reveal: (values: { readonly [name: string]: string }) => void
  /** Goes on from another version of the file. */
  readonly rebase: (base: { readonly text: string; readonly hash: string }, text: string) => void
  /** The same for every file: text as edited, for what depends on several of them. */
  readonly readingOf: (document: PolicyDocumentView) => PolicyReading
  readonly isDirty: (document: PolicyDocumentView) => boolean
  readonly ready: boolean
}

/** Form and file in step: whatever is edited, the other follows. All of it happens here, nothing is asked for. */
export function usePolicyEditor(
  documents: readonly PolicyDocumentView[],
  document: PolicyDocumentView,
): PolicyEditor {
  const drafts = useDrafts(documents)
  const [dragged, setDragged] = useState<PolicyChanges | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  // The file follows a drag at its own pace, so that the drag itself never waits for it.
  const following = useDeferredValue(dragged)

  const draft = drafts.draftOf(document)
  const kept = readPolicyDraft(document, draft.text)
  const moving = following === null ? null : editText(document, kept, following)
  const text = moving?.ok ? moving.text : draft.text
  const reading = text === draft.text ? kept : readPolicyDraft(document, text)
  const own = documents.find(({ role }) => role === 'own')
  const ownFile =
    own === undefined || own.path === document.path
      ? null
      : { label: own.label, file: readPolicyDraft(own, drafts.draftOf(own).text).file }
  const still = resolveDraft(document, kept, ownFile)
  const { resolved, problems } = reading === kept ? still : resolveDraft(document, reading, ownFile)
  const saved = resolveDraft(document, readPolicyDraft(document, draft.baseText), ownFile).resolved

  const change = (next: (draft: PolicyDraft) => PolicyDraft) => {
    setRefusal(null)
    drafts.change(document, next)
  }
  const take = (edited: Edited, gesture: string | null) => {
    if (edited.ok) change((now) => changeDraft(now, edited.text, gesture))
    else setRefusal(edited.problem)
  }

  return {
    document,
    draft,
    dirty: isDirty(draft),
    text,
    reading,
    resolved,
    problems,
    saved,
    policy: dragged === null ? resolved.policy : withChanges(resolved.policy, dragged),
    settled: still.resolved.policy,
    refusal,
    preview: setDragged,
    change: (changes, gesture) => {
      setDragged(null)
      take(editText(document, kept, changes), gesture ?? null)
    },
    take: (edited) => take(edited, null),
    choosePreset: (preset) => take(editPreset(kept, preset), null),
    write: (next, gesture) => change((now) => changeDraft(now, next, gesture ?? null)),
    undo: () => change(undoDraft),
    redo: () => change(redoDraft),
    discard: () => change((now) => changeDraft(now, now.baseText)),
    forget: drafts.forget,
    reveal: (values) => change((now) => revealDraft(now, (name) => values[name])),
    rebase: (base, next) => change((now) => rebaseDraft(now, base, next)),
    readingOf: (other) => readPolicyDraft(other, drafts.draftOf(other).text),
    isDirty: (other) => isDirty(drafts.draftOf(other)),
    ready: drafts.ready,
  }
}
