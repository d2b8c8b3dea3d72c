'use client'

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { fetchJson } from '@/components/live/read-json'
import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { policyWindow } from '@/lib/core/budget/guard'
import type { PolicyActions } from '@/lib/view/policy/policy-answers'
import type { PolicyChanges } from '@/lib/view/policy/policy-edit'
import type { FillAggregate } from '@/lib/view/policy/policy-fills'
import type { PolicyPageState } from '@/lib/view/policy/policy-place'
import { countErrors, type PolicyDocumentView } from '@/lib/view/policy/policy-reading'
import { policyChanges } from '@/lib/view/policy/policy-values'
import type { StoreAsksShown } from '@/lib/view/policy/store-asks'
import { formatQuantity } from '@/lib/view/text/format'
import { EditTab } from './edit-tab'
import { EffectiveTab } from './effective-tab'
import { type PolicyDialog, PolicyDialogs, type Saved } from './policy-dialogs'
import { PolicyToolbar } from './policy-toolbar'
import { PresetsTab } from './presets-tab'
import { StoreAsksCard } from './store-asks-card'
import { UnsavedBar } from './unsaved-bar'
import { usePlace } from './use-place'
import { usePolicyEditor } from './use-policy-editor'
import { WorkspacesTab } from './workspaces-tab'

/** How full the calls of all sessions were. */
const fillsQuery = queryOptions({
  queryKey: ['policy-fills'] as const,
  queryFn: ({ signal }) => fetchJson<FillAggregate>('/api/policies/fills', signal),
})

/** The policy screen: files edited as form and text, presets compared, the policy of a session explained. */
export function PoliciesScreen({
  documents: initial,
  asks,
  place: chosen,
  changes: brought,
  actions,
}: {
  documents: readonly PolicyDocumentView[]
  /** What stores ask for and the operator decides. */
  asks: StoreAsksShown
  place: PolicyPageState
  /** Values that came with the address, to be tried. */
  changes: PolicyChanges
  actions: PolicyActions
}) {
  const [documents, setDocuments] = useState(initial)
  const [place, setPlace] = usePlace(chosen)
  const [dialog, setDialog] = useState<PolicyDialog | null>(null)
  const [saved, setSaved] = useState<(Saved & { readonly label: string }) | null>(null)
  const document = documents.find(({ path }) => path === place.file) ?? documents[0]
  if (document === undefined) throw new Error('there is always a file of our own')
  const editor = usePolicyEditor(documents, document)
  const fills = useQuery(fillsQuery)
  const broughtCount = useBrought(brought, editor.ready, editor.change)
  const window = place.window ?? policyWindow(editor.resolved.policy, { index: null }, null).tokens
  const own = documents.find(({ role }) => role === 'own')

  return (
    <>
      <PolicyToolbar
        tab={place.tab}
        documents={documents}
        document={document}
        dirty={editor.isDirty}
        window={window}
        fills={fills.data ?? null}
        onTab={(tab) => setPlace({ tab })}
        onDocument={(path) => setPlace({ file: path === own?.path ? null : path })}
        onWindow={(tokens) => setPlace({ window: tokens })}
        onHistory={() => setDialog({ kind: 'history' })}
      />
      {broughtCount > 0 && editor.dirty && (
        <p role="status" className="rounded-card border border-line bg-accent-soft px-4 py-2 text-table">
          {`${formatQuantity(broughtCount, 'value')} came with the link. Nothing is saved yet.`}
        </p>
      )}
      {editor.refusal !== null && <ErrorState title="This was not changed" detail={editor.refusal} />}
      {fills.isError && (
        <ErrorState title="The fills of your sessions cannot be read" detail={fills.error.message} />
      )}
      {(place.tab === 'edit' || place.tab === 'effective') && <StoreAsksCard {...asks} />}
      {place.tab === 'edit' && (
        <EditTab
          key={document.path}
          editor={editor}
          reveal={actions.reveal}
          window={window}
          fills={fills.data ?? null}
        />
      )}
      {place.tab === 'presets' && (
        <PresetsTab
          title={document.label}
          policy={editor.resolved.policy}
          window={window}
          current={document.role === 'own' ? editor.reading.file.preset : null}
          onBuildOn={document.role === 'own' ? editor.choosePreset : null}
        />
      )}
      {place.tab === 'workspaces' && <WorkspacesTab window={window} />}
      {place.tab === 'effective' && (
        <EffectiveTab
          session={place.session}
          unsaved={documents.some(editor.isDirty)}
          onSession={(session) => setPlace({ session })}
          sourcesFor={(session) => ({
            own: own === undefined ? null : { label: own.label, file: editor.readingOf(own).file },
            store: session.storeFiles.flatMap((path) => {
              const found = documents.find((candidate) => candidate.path === path)
              return found === undefined
                ? []
                : [{ label: found.label, file: editor.readingOf(found).file, granted: found.granted }]
            }),
            chosen: null,
          })}
        />
      )}
      {editor.dirty ? (
        <UnsavedBar
          label={document.label}
          changes={policyChanges(editor.saved.policy, editor.resolved.policy).length}
          errors={countErrors(editor.problems)}
          canUndo={editor.draft.past.length > 0}
          canRedo={editor.draft.future.length > 0}
          stale={editor.draft.baseHash !== document.hash}
          onUndo={editor.undo}
          onRedo={editor.redo}
          onDiscard={editor.discard}
          onSave={() => {
            setSaved(null)
            setDialog({ kind: 'save' })
          }}
        />
      ) : (
        saved !== null && (
          <SavedBar
            saved={saved}
            onUndo={() => saved.before !== null && setDialog({ kind: 'rollback', text: saved.before })}
            onClose={() => setSaved(null)}
          />
        )
      )}
      <PolicyDialogs
        dialog={dialog}
        editor={editor}
        fills={fills.data ?? null}
        window={window}
        actions={actions}
        onDialog={setDialog}
        onDocuments={setDocuments}
        onSaved={(what) => setSaved({ ...what, label: document.label })}
      />
    </>
  )
}

/** Sets what came with the address, once, when unsaved changes of before have been searched for. */
function useBrought(
  changes: PolicyChanges,
  ready: boolean,
  change: (changes: PolicyChanges, gesture?: string) => void,
): number {
  const count = Object.keys(changes).length
  const done = useRef(false)
  // The outside system is the address bar, whose values are used up by this.
  useEffect(() => {
    if (!ready || done.current || count === 0) return
    done.current = true
    change(changes)
  }, [ready, count, change, changes])
  return count
}

function SavedBar({
  saved,
  onUndo,
  onClose,
}: {
  saved: Saved & { readonly label: string }
  onUndo: () => void
  onClose: () => void
}) {
  return (
    <section
      aria-label="Saved"
      className="floating sticky bottom-18 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2 md:bottom-3"
    >
      <p role="status" className="min-w-0 flex-1 text-table">
        <span className="font-medium text-ok">{`${saved.label} is saved. `}</span>
        {saved.backup === null ? (
          'There was no version before it.'
        ) : (
          <>
            {'The version before it is kept: '}
            <code className="isolate-text">{saved.backup}</code>
          </>
        )}
      </p>
      {saved.before !== null && <Button onClick={onUndo}>Undo …</Button>}
      <Button kind="quiet" onClick={onClose}>
        Dismiss
      </Button>
    </section>
  )
}
