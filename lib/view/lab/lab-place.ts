import { addressQuery } from '../text/address-query'

/** What the lab shows; it is in the address. */
export type LabPlace = {
  /** Id of the experiment that is open. */
  readonly experiment: string | null
  /** Name of the policy whose unmet needs are listed; null: the first that has some. */
  readonly policy: string | null
  /** Transcript that a new experiment begins with. */
  readonly session: string | null
}

type SearchValues = { readonly [name: string]: string | readonly string[] | undefined }

/** What cannot be there is as good as nothing. */
export function readLabPlace(values: SearchValues): LabPlace {
  const one = (name: string, form: RegExp) => {
    const value = values[name]
    return typeof value === 'string' && form.test(value) ? value : null
  }
  return {
    experiment: one('experiment', /^[\w-]{1,64}$/),
    policy: one('policy', /^.{1,200}$/s),
    session: one('session', /^[\w-]{1,64}$/),
  }
}

/** The address of the page. */
export function labAddress({ experiment, policy, session }: Partial<LabPlace>): string {
  const search = new URLSearchParams()
  if (experiment) search.set('experiment', experiment)
  if (policy) search.set('policy', policy)
  if (session) search.set('session', session)
  return `/lab${addressQuery(search)}`
}
