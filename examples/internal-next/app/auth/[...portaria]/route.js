export { GET, POST } from '@portaria/client/next'
