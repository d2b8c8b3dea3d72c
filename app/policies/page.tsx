import type { Metadata } from 'next'
import { PoliciesScreen } from '@/components/policy/policies-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getCoveredPolicies } from '@/lib/server/policy/covered-policies'
import { parsePolicyLink } from '@/lib/view/policy/policy-link'
import { parsePolicyPlace } from '@/lib/view/policy/policy-place'
import { readPolicyHistory, readPolicyVersion, reloadPolicies, revealPolicy, savePolicy } from './actions'

export const metadata: Metadata = { title: 'Policies' }

const ACTIONS = {
  save: savePolicy,
  reload: reloadPolicies,
  history: readPolicyHistory,
  version: readPolicyVersion,
  reveal: revealPolicy,
}

export default async function PoliciesPage({ searchParams }: PageProps<'/policies'>) {
  const search = await searchParams
  const policies = await attempt(getCoveredPolicies)
  if (!policies.ok) return <ErrorState title="The settings cannot be read" detail={policies.problem} />
  const set = search.set ?? []
  return (
    <PoliciesScreen
      documents={policies.value.documents}
      asks={policies.value.asks}
      place={parsePolicyPlace(search)}
      changes={parsePolicyLink(typeof set === 'string' ? [set] : set)}
      actions={ACTIONS}
    />
  )
}
