import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forgetfulSession } from '../lib/testing/builders/forgetful-session'
import { ask } from './ask'
import { dashboard } from './world'

const SESSIONS = [1, 2, 3, 4]

/** A dashboard over a few sessions that need again what was said at their beginning. */
export const test = dashboard({
  name: 'lab',
  write: (home) => {
    const store = join(home, 'sessions')
    mkdirSync(store)
    for (const n of SESSIONS) writeFileSync(join(store, `s${n}.jsonl`), forgetfulSession(n))
    return { PLIMSOLL_STORES: store }
  },
  ready: ({ url }) =>
    ask(`${url}/api/lab/sessions`, (answer) =>
      (answer as { sessions: number }).sessions === SESSIONS.length ? null : undefined,
    ),
  view: ({ url }) => ({ url }),
})
