import type { ReplayPolicy } from '../replay-policy'

/** The policy that all others are compared with. */
export const EVERYTHING: ReplayPolicy = {
  id: 'everything',
  label: 'Send everything',
  about: 'Nothing ever leaves, also where the window is too small for it. All savings are against this.',
  source: 'the record itself',
  family: 'everything',
  start: () => () => {},
}
