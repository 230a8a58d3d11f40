import 'reflect-metadata';
import { createApplication } from './application.js';
import { ConfigurationError, parseEnvironment } from './config/environment.js';

try {
  const environment = parseEnvironment(process.env);
  const app = await createApplication(environment);
  app.enableShutdownHooks();
  await app.listen(environment.PORT, environment.HOST);
  process.send?.({ listening: await app.getUrl() });
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 78;
}
