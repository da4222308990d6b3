"""Spreads requests for `samswift batch` over a cluster with Apache Spark.

    spark-submit spark.py REQUESTS ANSWERS [--partitions N] [--samswift PROGRAM]

REQUESTS and ANSWERS are anything that Spark reads and writes (a file, a folder, hdfs://…, s3a://…). Each
partition is piped through one process, which loads the model once. Every request needs an id of its own:
each process numbers its lines from 1. Pictures have to be reachable from the workers under the names
that the requests give; the program has to be installed there, or be sent along with --files.

Without a cluster it runs on the cores of this machine: python spark.py … with pyspark from PyPI.
"""

import argparse
import shlex

from pyspark.sql import SparkSession


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("requests")
    parser.add_argument("answers")
    parser.add_argument("--partitions", type=int, default=None)
    parser.add_argument("--samswift", default="samswift")
    options = parser.parse_args()

    spark = SparkSession.builder.appName("samswift batch").getOrCreate()
    context = spark.sparkContext
    partitions = options.partitions or context.defaultParallelism
    requests = context.textFile(options.requests, partitions)
    # A partition's requests go in by standard input, its answers come out by standard output; a process
    # that ends with an error fails the task, and Spark tries it again elsewhere.
    answers = requests.pipe(f"{shlex.quote(options.samswift)} batch --threads 1", checkCode=True)
    answers.saveAsTextFile(options.answers)
    spark.stop()


main()
