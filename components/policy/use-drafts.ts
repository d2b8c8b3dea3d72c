'use client'

import { useEffect, useState } from 'react'
import { beginDraft, isDirty, type PolicyDraft } from '@/lib/view/policy/policy-draft'
import type { PolicyDocumentView } from '@/lib/view/policy/policy-reading'
import { loadDraft, storeDraft } from './draft-storage'

export type Drafts = {
  readonly draftOf: (document: PolicyDocumentView) => PolicyDraft
  readonly change: (document: PolicyDocumentView, change: (draft: PolicyDraft) => PolicyDraft) => void
  readonly forget: (path: string) => void
  /** Whether archived text has been searched for. */
  readonly ready: boolean
}

/** The unsaved changes of every file: kept while the page is, and stored for the next visit. */
export function useDrafts(documents: readonly PolicyDocumentView[]): Drafts {
  const [drafts, setDrafts] = useState<{ readonly [path: string]: PolicyDraft }>({})
  const [ready, setReady] = useState(false)
  const [paths] = useState(() => documents.map((document) => document.path))

  // The outside system is the browser's storage, which the server does not have.
  useEffect(() => {
    const found = paths.flatMap((path) => {
      const draft = loadDraft(path)
      return draft === null ? [] : [[path, draft] as const]
    })
    setDrafts((now) => ({ ...Object.fromEntries(found), ...now }))
    setReady(true)
  }, [paths])

  useEffect(() => {
    if (!ready) return
    for (const path of paths) storeDraft(path, drafts[path] ?? null)
  }, [drafts, paths, ready])

  const dirty = Object.values(drafts).some(isDirty)
  // Leaving by the address bar or by closing the tab asks first; storage may be gone with it.
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])

  return {
    draftOf: (document) => drafts[document.path] ?? beginDraft(document),
    change: (document, change) =>
      setDrafts((now) => ({ ...now, [document.path]: change(now[document.path] ?? beginDraft(document)) })),
    forget: (path) =>
      setDrafts((now) => Object.fromEntries(Object.entries(now).filter(([other]) => other !== path))),
    ready,
  }
}
