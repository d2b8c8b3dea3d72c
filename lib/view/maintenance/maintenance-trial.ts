import { addressQuery } from '../text/address-query'

/** A limit that can be tried: its key in `session.maintenance`, and what may be there. */
export type TrialKnob = {
  readonly key: KnobKey
  readonly label: string
  readonly about: string
  /** What an input shows as an example. */
  readonly example: string
  /** Only stores of February 2026 know it. */
  readonly earlyOnly: boolean
}

export type KnobKey =
  | 'pruneAfter'
  | 'maxEntries'
  | 'rotateBytes'
  | 'resetArchiveRetention'
  | 'maxDiskBytes'
  | 'highWaterBytes'

export const KNOBS: readonly TrialKnob[] = [
  {
    key: 'pruneAfter',
    label: 'Age',
    about: 'Sessions not used for longer than this go; so do old files that no session refers to.',
    example: '30d',
    earlyOnly: false,
  },
  {
    key: 'maxEntries',
    label: 'Cap',
    about: 'So many sessions stay in the index, the newest.',
    example: '500',
    earlyOnly: false,
  },
  {
    key: 'rotateBytes',
    label: 'Rotate',
    about: 'A larger index is copied aside; three copies stay.',
    example: '10mb',
    earlyOnly: true,
  },
  {
    key: 'resetArchiveRetention',
    label: 'Keep resets',
    about: 'How long transcripts of reset sessions stay; false keeps them for good.',
    example: '30d',
    earlyOnly: false,
  },
  {
    key: 'maxDiskBytes',
    label: 'Disk budget',
    about: 'All files of the folder together; beyond it, the oldest go.',
    example: '2gb',
    earlyOnly: false,
  },
  {
    key: 'highWaterBytes',
    label: 'Down to',
    about: 'Once over the budget, so much may stay; 80 % of the budget if nothing is said.',
    example: '1.6gb',
    earlyOnly: false,
  },
]

/**
 * Limits to try instead of the store's own limits, as it is in the address. `keep`: the key of a session that
 * must stay whatever its age.
 */
export type MaintenanceTrial = { readonly [K in TrialKey]?: string }
type TrialKey = KnobKey | 'mode' | 'keep'

const LONGEST = 40

/** Characters of a session key that is to stay; longer than any runtime writes one. */
export const MAX_KEPT_KEY = 1024

/** Reads the trial from an address; what is too long to be a limit, or a key, is left out. */
export function readTrial(search: { get(name: string): string | null }): MaintenanceTrial {
  const trial: { [K in TrialKey]?: string } = {}
  for (const key of ['mode', 'keep', ...KNOBS.map(({ key }) => key)] as const) {
    const value = search.get(key)?.trim()
    if (value && value.length <= (key === 'keep' ? MAX_KEPT_KEY : LONGEST)) trial[key] = value
  }
  return trial
}

/** The part of an address that names a trial: '' or `?…`. */
export function trialSearch(trial: MaintenanceTrial): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(trial)) if (value) search.set(key, value)
  return addressQuery(search)
}

/** `session.maintenance` with what is tried in its place, for the reader of limits. */
export function trialSettings(settings: unknown, trial: MaintenanceTrial): Readonly<Record<string, unknown>> {
  const own = typeof settings === 'object' && settings !== null ? settings : {}
  const { keep: _key, ...limits } = trial
  return {
    ...own,
    ...Object.fromEntries(Object.entries(limits).map(([key, text]) => [key, typedValue(text)])),
  }
}

/** Keys of the sessions that must stay, for the planner. */
export function keptKeys({ keep }: MaintenanceTrial): readonly string[] {
  return keep === undefined ? [] : [keep]
}

function typedValue(text: string): string | number | boolean {
  if (text === 'false') return false
  return /^\d+$/.test(text) ? Number(text) : text
}
