<?php
// Runs the tests of the SDK for PHP, which are written for PHPUnit 6: later ones want `setUp(): void` and have no
// `@expectedException`. This is the part of PHPUnit 6 that they use.
//     php phpunit.php FOLDER

namespace PHPUnit\Framework {
    class AssertionFailedError extends \Exception {}

    abstract class TestCase {
        private $expected = null;

        protected function setUp() {}
        protected function tearDown() {}

        // What tests have returned, for those that depend on them.
        private static $results = [];

        public function run($method) {
            $comment = (new \ReflectionMethod($this, $method))->getDocComment() ?: '';
            if (preg_match('/@expectedException\s+(\S+)/', $comment, $found)) { $this->expected['class'] = ltrim($found[1], '\\'); }
            if (preg_match('/@expectedExceptionCode\s+(\d+)/', $comment, $found)) { $this->expected['code'] = (int) $found[1]; }
            $this->setUp();
            try {
                preg_match_all('/@depends\s+(\S+)/', $comment, $depends);
                $arguments = array_map(function ($name) { return self::$results[static::class . $name] ?? null; }, $depends[1]);
                self::$results[static::class . $method] = $this->$method(...$arguments);
            } catch (\Throwable $thrown) {
                if ($this->expected === null || $thrown instanceof AssertionFailedError) { throw $thrown; }
                self::assertTrue(is_a($thrown, $this->expected['class']), get_class($thrown) . ': ' . $thrown->getMessage());
                if (isset($this->expected['code'])) { self::assertEquals($this->expected['code'], $thrown->getCode()); }
                return;
            } finally {
                $this->tearDown();
            }
            if ($this->expected !== null) { throw new AssertionFailedError("expected {$this->expected['class']}, and nothing was thrown"); }
        }

        public function expectException($class) { $this->expected['class'] = $class; }
        public function expectExceptionCode($code) { $this->expected['code'] = $code; }

        private static function check($holds, $what, $message) {
            if (!$holds) { throw new AssertionFailedError(trim("$message $what")); }
        }

        public static function assertTrue($value, $message = '') { self::check($value === true, var_export($value, true) . ' is not true', $message); }
        public static function assertFalse($value, $message = '') { self::check($value === false, var_export($value, true) . ' is not false', $message); }
        public static function assertNull($value, $message = '') { self::check($value === null, var_export($value, true) . ' is not null', $message); }
        public static function assertNotNull($value, $message = '') { self::check($value !== null, 'is null', $message); }
        public static function assertEquals($expected, $value, $message = '') {
            self::check($expected == $value, var_export($value, true) . ' is not ' . var_export($expected, true), $message);
        }
        public static function assertSame($expected, $value, $message = '') {
            self::check($expected === $value, var_export($value, true) . ' is not ' . var_export($expected, true), $message);
        }
        public static function assertArrayHasKey($key, $array, $message = '') {
            self::check(array_key_exists($key, $array), "no key '$key' in " . json_encode($array), $message);
        }
        public static function assertArrayNotHasKey($key, $array, $message = '') {
            self::check(!array_key_exists($key, $array), "key '$key' in " . json_encode($array), $message);
        }
        public static function assertGreaterThan($least, $value, $message = '') { self::check($value > $least, "$value is not over $least", $message); }
        public static function assertCount($count, $array, $message = '') { self::check(count($array) === $count, count($array) . " is not $count", $message); }
    }
}

namespace {
    error_reporting(E_ALL & ~E_DEPRECATED);
    chdir($argv[1]);
    require 'autoload.php';
    require 'tests/bootstrap.php';
    foreach (glob('tests/JPush/*Test.php') as $file) { require $file; }
    [$passed, $failed] = [0, 0];
    foreach (get_declared_classes() as $class) {
        if (!is_subclass_of($class, PHPUnit\Framework\TestCase::class)) { continue; }
        foreach (get_class_methods($class) as $method) {
            if (strpos($method, 'test') !== 0) { continue; }
            ob_start();
            try {
                (new $class())->run($method);
                $passed++;
                $problem = null;
            } catch (Throwable $thrown) {
                $failed++;
                $problem = get_class($thrown) . ': ' . $thrown->getMessage() . ' at ' . basename($thrown->getFile()) . ':' . $thrown->getLine();
                foreach ($thrown->getTrace() as $frame) {
                    if (isset($frame['file']) && strpos($frame['file'], '/tests/') !== false) { $problem .= ', line ' . $frame['line']; break; }
                }
            }
            ob_end_clean();
            if ($problem !== null) { echo "FAILED $class::$method: $problem\n"; }
        }
    }
    echo "$passed passed, $failed failed\n";
    exit($failed === 0 ? 0 : 1);
}
