import type { Metadata } from 'next'
import { PoliciesScreen } from '@/components/policy/policies-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/attempt'
import { getPolicyDocuments } from '@/lib/server/policies'
import { parsePolicyLink } from '@/lib/view/policy-link'
import { parsePolicyPlace } from '@/lib/view/policy-place'
import { readPolicyHistory, readPolicyVersion, reloadPolicies, savePolicy } from './actions'

export const metadata: Metadata = { title: 'Policies' }

const ACTIONS = {
  save: savePolicy,
  reload: reloadPolicies,
  history: readPolicyHistory,
  version: readPolicyVersion,
}

export default async function PoliciesPage({ searchParams }: PageProps<'/policies'>) {
  const search = await searchParams
  const documents = await attempt(getPolicyDocuments)
  if (!documents.ok) return <ErrorState title="The settings cannot be read" detail={documents.problem} />
  const set = search.set ?? []
  return (
    <PoliciesScreen
      documents={documents.value}
      place={parsePolicyPlace(search)}
      changes={parsePolicyLink(typeof set === 'string' ? [set] : set)}
      actions={ACTIONS}
    />
  )
}
