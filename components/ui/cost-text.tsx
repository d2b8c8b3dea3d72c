import { type Cost, costText } from '@/lib/view/text/cost'
import { classes } from './classes'

/** Money, with what is not known named beside it. */
export function CostFigure({ cost, className }: { cost: Cost; className?: string }) {
  const { text, title, complete } = costText(cost)
  return (
    <span title={title} className={classes('tnum whitespace-nowrap', className)}>
      <span aria-hidden={!complete}>{text}</span>
      {!complete && <span className="sr-only">{`${text}, ${title}`}</span>}
    </span>
  )
}
