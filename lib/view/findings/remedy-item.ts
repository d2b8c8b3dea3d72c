import type { FindingRemedy } from '../../core/findings/finding'

/** What can be done, the setting or command behind it, and the page where it is done, if that is another one. */
export type RemedyItem = {
  readonly words: string
  readonly code: string | null
  readonly href: string | null
}

type FoundAction = Extract<FindingRemedy, { by: 'action' }>['action']

/** Where each of our own actions on a session is previewed and done. */
const ACTION_PAGES = {
  repair: '/integrity',
  compact: '/compact',
  prune: '/pruning',
  recover: '/compactions',
} as const

/**
 * What to do, in words, with the setting or the command where there is one.
 * @param sessionHref the page of the session that it was found in
 * @param storeId where it is about a store as a whole
 */
export function remedyItem(remedy: FindingRemedy, sessionHref: string, storeId: string | null): RemedyItem {
  const { words } = remedy
  if (remedy.by === 'setting') {
    const { key, value } = remedy
    return { words, code: value === null ? key : `${key}: ${JSON.stringify(value)}`, href: null }
  }
  const code = remedy.by === 'command' ? remedy.argv.join(' ') : null
  return {
    words,
    code,
    href: remedy.by === 'action' ? actionHref(remedy.action, sessionHref, storeId) : null,
  }
}

function actionHref(action: FoundAction, sessionHref: string, storeId: string | null): string | null {
  if (action === 'maintain') return storeId === null ? null : `/stores/${storeId}/maintenance`
  if (action === 'archive') return '/stores#archive'
  return storeId === null ? `${sessionHref}${ACTION_PAGES[action]}` : null
}
