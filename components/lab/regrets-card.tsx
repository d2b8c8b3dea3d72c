'use client'

import { useRouter } from 'next/navigation'
import { Card } from '@/components/ui/card'
import { FilterSelect } from '@/components/ui/filter-inputs'
import type { RegretsView } from '@/lib/view/lab/lab-page'
import { labAddress } from '@/lib/view/lab/lab-place'
import { formatQuantity } from '@/lib/view/text/format'
import { RegretRow } from './regret-row'

/** The heaviest needs that a policy left unmet, each with the drop behind it. */
export function RegretsCard({ experiment, regrets }: { experiment: string; regrets: RegretsView }) {
  const router = useRouter()
  const { policy, label, unmet, items, choices } = regrets
  return (
    <Card
      title="What would have been missing"
      note={`${label}: ${formatQuantity(unmet, 'unmet need')}${items.length < unmet ? `, the ${items.length} heaviest ones` : ''}`}
      flush
      aside={
        choices.length > 1 && (
          <FilterSelect
            label="Policy"
            all="the first"
            value={policy}
            options={choices}
            onChange={(next) =>
              router.replace(labAddress({ experiment, policy: next === '' ? null : next }), { scroll: false })
            }
          />
        )
      }
    >
      {items.length === 0 ? (
        <p className="px-4 pb-3 text-table text-muted">Every need is met.</p>
      ) : (
        <ul aria-label="Unmet needs">
          {items.map((item) => (
            <RegretRow key={item.key} item={item} />
          ))}
        </ul>
      )}
    </Card>
  )
}
