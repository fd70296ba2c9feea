import { type RefObject, useEffect } from 'react'
import { useFormContext, useFormState } from 'react-hook-form'

const KEPT = {
  keepValues: true,
  keepDefaultValues: true,
  keepDirty: true,
  keepErrors: true,
  keepTouched: true,
  keepIsSubmitted: true,
  keepSubmitCount: true,
  keepFieldsRef: true,
} as const

/**
 * Has the form around it warn of unsaved changes after a save that failed too: react-hook-form takes a submission without a refused field
 * for a success, and who leaves is then not asked. `isSaved`: whether the service has taken it.
 */
export function UnsavedAgain({ isSaved }: { isSaved: RefObject<boolean> }) {
  const { reset } = useFormContext()
  const { isSubmitSuccessful } = useFormState()
  useEffect(() => {
    if (isSubmitSuccessful && !isSaved.current) reset(undefined, KEPT)
  }, [isSubmitSuccessful, isSaved, reset])
  return null
}
