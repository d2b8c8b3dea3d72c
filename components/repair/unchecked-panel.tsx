import { Card } from '@/components/ui/card'
import { formatQuantity } from '@/lib/view/text/format'

/** A transcript of a runtime whose rules are not known here. */
export function UncheckedPanel({ why, unreadable }: { readonly why: string; readonly unreadable: number }) {
  return (
    <Card title="Not checked">
      <p>{why}</p>
      <p>
        {unreadable === 0
          ? 'All of its lines can be read.'
          : `${formatQuantity(unreadable, 'line')} of it cannot be read.`}
      </p>
    </Card>
  )
}
