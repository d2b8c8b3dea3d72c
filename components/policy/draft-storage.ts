import { isDirty, type PolicyDraft, parseStoredDraft, resumeDraft } from '@/lib/view/policy/policy-draft'

/** Unsaved changes outlive a reload and a visit to other pages; they end with the browser's tab. */
const PREFIX = 'plimsoll.policy-draft:'

export function loadDraft(path: string): PolicyDraft | null {
  try {
    const stored = parseStoredDraft(window.sessionStorage.getItem(PREFIX + path))
    return stored && resumeDraft(stored)
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
    return null
  }
}

export function storeDraft(path: string, draft: PolicyDraft | null): void {
  try {
    if (draft === null || !isDirty(draft)) window.sessionStorage.removeItem(PREFIX + path)
    else {
      const { text, baseText, baseHash } = draft
      window.sessionStorage.setItem(PREFIX + path, JSON.stringify({ text, baseText, baseHash }))
    }
  } catch {
    // As above.
  }
}
