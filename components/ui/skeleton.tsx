import { classes } from './classes'

/** A grey placeholder of the size of what is coming. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('skeleton block', className)} />
}

/** Says once, for readers who do not see the grey, that a part of the page is loading. */
export function LoadingNote({ what }: { what: string }) {
  return (
    <p role="status" className="sr-only">
      {`Loading ${what}`}
    </p>
  )
}
