import { Alert } from '@mui/material'

/** Why the service refused what a dialog sent; nothing where it did not. */
export function DialogFault({ fault }: { fault: string | undefined }) {
  if (fault === undefined) return null
  return (
    <Alert severity="error" sx={{ mt: 2 }}>
      {fault}
    </Alert>
  )
}
