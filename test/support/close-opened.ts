import { closeOpened } from './opened.js';

afterAll(closeOpened);
