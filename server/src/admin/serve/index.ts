// The door of this floor for the service, which must be there soon and small: behind it nothing reads the operations of /api/admin, and
// whatever only commands use. Their door is ../index.ts.
export { createCursors } from '../api/cursor.ts'
export { endAbandonedRun } from '../notifications/runs/run.ts'
export { forgetRuns } from '../notifications/runs/run-store.ts'
export { notificationRunJob } from '../notifications/runs/work-on-run.ts'
export { keepDays, MAX_DAYS } from '../overview/days.ts'
export { countFailedSignIns } from '../overview/failed-sign-ins.ts'
export { authenticateRoutes } from '../reauthentication/authenticate-routes.ts'
export { mintSetupLink } from '../setup/setup-link.ts'
export { setupRoutes } from '../setup/setup-routes.ts'
export { deleteDue } from '../users/changes/delete-due.ts'
export { inviteOf } from '../users/invite.ts'
export { adminRoutes } from './admin-routes.ts'
