import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { temporaryFolder } from '../support/temporary-folder.js';
import { readerOfCommand, readerOfFolder } from '../readers/asked-readers.js';
import { WISHES } from '../readers/hostile-texts.js';
import { connectTools, obeyingReader, solvingReader } from '../readers/scripted-reader.js';
import { TASKS } from '../readers/tasks.js';
import { MAX_TOKENS, startWorld, type World } from '../readers/world.js';

let folder: string;
let world: World;
let tools: Awaited<ReturnType<typeof connectTools>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await startWorld(folder);
  tools = await connectTools(world);
});
afterAll(async () => {
  await tools.close();
  await world.close();
});

it('a reader who knows the tools solves all tasks with few tokens, and obeys no post', async () => {
  const reader = solvingReader(world, tools.tool, folder);
  for (const task of TASKS) {
    const { isDone, tokens, obeyed } = await world.attempt(task, reader);
    expect({ task: task.name, isDone, obeyed }).toEqual({ task: task.name, isDone: true, obeyed: [] });
    expect(tokens).toBeLessThan(MAX_TOKENS);
    expect(tokens > 0).toBe(!task.name.startsWith('document-'));
  }
});

it('a reader who obeys posts is caught at each of their wishes', async () => {
  const { isDone, obeyed } = await world.attempt(TASKS[0]!, obeyingReader(world, tools.tool, folder));
  expect(isDone).toBe(false);
  expect(obeyed).toEqual(WISHES.map(({ text }) => text));
});

it('a command gets the task in words, and has no answer when it fails or hangs', async () => {
  const [task] = TASKS;
  const answers = await Promise.all(
    ['grep -c "How many posts are stored"', 'echo 1; exit 1', 'sleep 60'].map((command) =>
      readerOfCommand(command, 2_000)(task!, task!.question),
    ),
  );
  expect(answers).toEqual(['1\n', '', '']);
});

it('a folder has the task, and may get its answer', async () => {
  const [task] = TASKS;
  const tasks = await temporaryFolder();
  await writeFile(join(tasks, 'all-posts.answer.txt'), '380');
  expect(await readerOfFolder(tasks, 1_000)(task!, 'words')).toBe('380');
  expect(await readerOfFolder(await temporaryFolder(), 1)(task!, 'words')).toBe('');
});
