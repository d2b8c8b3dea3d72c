import { type JobView, stepsText } from '@/lib/view/jobs/jobs'

/** How far a job is: a bar where that is known, the steps, and what is being done. */
export function JobProgressBar({ job }: { job: JobView }) {
  const steps = stepsText(job)
  const known = job.of !== null && job.of > 0
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div
        role="progressbar"
        aria-label={job.title}
        aria-valuemin={0}
        aria-valuemax={known ? (job.of ?? undefined) : undefined}
        aria-valuenow={known ? job.done : undefined}
        aria-valuetext={steps === '' ? job.doing : `${steps}: ${job.doing}`}
        className="h-1.5 overflow-hidden rounded-sm border border-line bg-inset"
      >
        {known && (
          <div
            className="h-full bg-fill transition-[width] duration-120"
            style={{ width: `${Math.min(100, (100 * job.done) / (job.of ?? 1))}%` }}
          />
        )}
      </div>
      <p className="flex gap-2 text-label text-muted">
        <span className="isolate-text min-w-0 flex-1">{job.doing}</span>
        <span className="tnum whitespace-nowrap">{steps}</span>
      </p>
    </div>
  )
}
