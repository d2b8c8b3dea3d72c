import { Th } from '@/components/ui/table'

/** Heads of what is said first of each policy of an experiment. */
export function PolicyHeads() {
  return (
    <>
      <Th numeric>No.</Th>
      <Th>Policy</Th>
      <Th numeric>Saving</Th>
      <Th numeric>Long-range recall</Th>
    </>
  )
}
