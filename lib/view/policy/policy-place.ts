import { addressQuery } from '../text/address-query'

/** The parts of the policy screen. */
export const POLICY_TABS = ['edit', 'presets', 'effective', 'workspaces'] as const

export type PolicyTab = (typeof POLICY_TABS)[number]

/** Everything that is chosen on the policy screen; it is in the address. */
export type PolicyPageState = {
  readonly tab: PolicyTab
  /** Path of the file; null is the first. */
  readonly file: string | null
  /** Window in tokens that shares are shown for; null is the policy's default. */
  readonly window: number | null
  /** Session whose policy is shown. */
  readonly session: string | null
}

export type PolicySearchValues = { readonly [name: string]: string | readonly string[] | undefined }

/** Windows beyond these are slips of the finger. Tokens. */
const MIN_WINDOW = 1
const MAX_WINDOW = 10_000_000

export function parsePolicyPlace(values: PolicySearchValues): PolicyPageState {
  const one = (name: string) => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    tab: POLICY_TABS.find((tab) => tab === values.tab) ?? 'edit',
    file: one('file'),
    window: parseWindow(one('window') ?? ''),
    session: one('session'),
  }
}

/** A window in tokens, or null. */
export function parseWindow(text: string): number | null {
  if (!/^\d{1,8}$/.test(text)) return null
  const tokens = Number(text)
  return tokens >= MIN_WINDOW && tokens <= MAX_WINDOW ? tokens : null
}

/** The search part of the address; what is as usual is left out. */
export function policyPlaceQuery({ tab, file, window, session }: PolicyPageState): string {
  const params = new URLSearchParams()
  if (tab !== 'edit') params.set('tab', tab)
  if (file !== null) params.set('file', file)
  if (window !== null) params.set('window', String(window))
  if (session !== null) params.set('session', session)
  return addressQuery(params)
}
