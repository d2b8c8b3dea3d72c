'use client'

import { useState } from 'react'
import type { Policy } from '@/lib/core/policy/policy'
import { textSizeProblem } from '@/lib/core/policy/size-limit'
import type { PolicyActions, PolicySaveAnswer } from '@/lib/view/policy/policy-answers'
import { policyEffects } from '@/lib/view/policy/policy-effects'
import type { FillAggregate } from '@/lib/view/policy/policy-fills'
import {
  type PolicyDocumentView,
  type PolicyProblem,
  readPolicyDraft,
  resolveDraft,
} from '@/lib/view/policy/policy-reading'
import { policyChanges } from '@/lib/view/policy/policy-values'
import { HistorySheet } from './history-sheet'
import { SaveDialog } from './save-dialog'
import { ThreeWayDialog } from './three-way-dialog'
import type { PolicyEditor } from './use-policy-editor'

/** What covers the page at the moment. */
export type PolicyDialog =
  | { readonly kind: 'save' }
  | { readonly kind: 'history' }
  /** An earlier text is about to come back. */
  | { readonly kind: 'rollback'; readonly text: string }
  | { readonly kind: 'changed'; readonly base: string; readonly mine: string; readonly theirs: string }

/** What was saved: where the version before is kept, and its text. */
export type Saved = { readonly backup: string | null; readonly before: string | null }

/** Saving, rolling back, and what is in the way of it. */
export function PolicyDialogs({
  dialog,
  editor,
  fills,
  window,
  actions,
  onDialog,
  onDocuments,
  onSaved,
}: {
  dialog: PolicyDialog | null
  editor: PolicyEditor
  /** Of the operator's own sessions; null while they are read. */
  fills: FillAggregate | null
  /** That shares are shown for, in tokens. */
  window: number
  actions: PolicyActions
  onDialog: (dialog: PolicyDialog | null) => void
  onDocuments: (documents: readonly PolicyDocumentView[]) => void
  onSaved: (saved: Saved) => void
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const { document, draft } = editor
  const close = () => {
    setProblem(null)
    onDialog(null)
  }

  /** Saves a text over a version of the file; the draft ends with it where it was the draft. */
  async function save(
    base: { readonly text: string; readonly hash: string },
    text: string,
  ): Promise<PolicySaveAnswer> {
    const tooLarge = textSizeProblem(document.label, text)
    // Said here: of a request with far too large a text, the server reads nothing.
    if (tooLarge !== null) return { kind: 'refused', problem: `${tooLarge}.` }
    const answer = await actions.save({
      path: document.path,
      baseHash: base.hash,
      baseText: base.text,
      text,
    })
    if (answer.kind === 'saved') {
      onDocuments(answer.documents)
      if (!editor.dirty || draft.text === text) editor.forget(document.path)
      onSaved({ backup: answer.backup, before: answer.backup === null ? null : base.text })
      close()
    }
    if (answer.kind === 'unchanged' && draft.text === text) {
      onDocuments(await actions.reload())
      editor.forget(document.path)
    }
    if (answer.kind === 'changed') {
      const { base: from, mine, theirs } = answer
      onDialog({ kind: 'changed', base: from, mine, theirs })
    }
    return answer
  }

  /** Goes on from the file as it is on disk, if it still is what was compared with. */
  async function takeOver(mine: string, base: string, theirs: string, text: string) {
    const documents = await actions.reload()
    const now = documents.find(({ path }) => path === document.path)
    onDocuments(documents)
    if (now === undefined || now.text !== theirs) {
      onDialog({ kind: 'changed', base, mine, theirs: now?.text ?? '' })
      return
    }
    editor.rebase(now, text)
    onDialog(text === theirs ? null : { kind: 'save' })
  }

  const effectsOf = (before: Policy, after: Policy) =>
    fills === null ? [] : policyEffects(before, after, fills, window)

  if (dialog === null) return null
  switch (dialog.kind) {
    case 'save':
      return (
        <SaveDialog
          title={`Save ${document.label}`}
          document={document}
          before={draft.baseText}
          after={draft.text}
          changes={policyChanges(editor.saved.policy, editor.resolved.policy)}
          effects={effectsOf(editor.saved.policy, editor.resolved.policy)}
          problems={editor.problems}
          confirm="Save"
          onSave={() => save({ text: draft.baseText, hash: draft.baseHash }, draft.text)}
          onClose={close}
        />
      )
    case 'rollback': {
      const { policies, changes, problems } = rolledBack(document, dialog.text)
      return (
        <SaveDialog
          title={`Roll back ${document.label}`}
          document={document}
          before={document.text}
          after={dialog.text}
          changes={changes}
          effects={effectsOf(...policies)}
          problems={problems}
          confirm="Roll back"
          onSave={() => save(document, dialog.text)}
          onClose={close}
        />
      )
    }
    case 'changed':
      return (
        <ThreeWayDialog
          file={document.path}
          {...dialog}
          onTake={(text) => void takeOver(dialog.mine, dialog.base, dialog.theirs, text)}
          onClose={close}
        />
      )
    case 'history':
      return (
        <HistorySheet
          document={document}
          problem={problem}
          read={actions.history}
          onChoose={(version) => {
            void actions.version(document.path, version.id).then((answer) => {
              if (answer.kind === 'version') onDialog({ kind: 'rollback', text: answer.text })
              else setProblem(answer.problem)
            })
          }}
          onClose={close}
        />
      )
  }
}

function rolledBack(
  document: PolicyDocumentView,
  text: string,
): {
  /** Now, and then. */
  policies: [Policy, Policy]
  changes: ReturnType<typeof policyChanges>
  problems: readonly PolicyProblem[]
} {
  const now = resolveDraft(document, readPolicyDraft(document, document.text), null)
  const then = resolveDraft(document, readPolicyDraft(document, text), null)
  const policies: [Policy, Policy] = [now.resolved.policy, then.resolved.policy]
  return { policies, changes: policyChanges(...policies), problems: then.problems }
}
