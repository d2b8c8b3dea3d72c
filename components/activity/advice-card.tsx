import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type CutoffAdvice, MOST_AGAINST } from '@/lib/core/logs/advise-cutoff'
import { adviceWords } from '@/lib/view/activity/cutoff'
import { formatPercent } from '@/lib/view/text/format'

/** What the logs say about the cut-off, and which key to change. */
export function AdviceCard({ advice, onTake }: { advice: CutoffAdvice; onTake: (cutoff: number) => void }) {
  return (
    <Card
      title="What the logs advise"
      note={`no more than ${formatPercent(MOST_AGAINST)} of what is dropped may be wanted later`}
    >
      <div className="flex max-w-[80ch] flex-col items-start gap-2 text-table" data-testid="advice">
        <p>{adviceWords(advice)}</p>
        {advice.kind === 'lower' && (
          <Button onClick={() => onTake(advice.change.to)}>{`Compare with ${advice.change.to}`}</Button>
        )}
      </div>
    </Card>
  )
}
